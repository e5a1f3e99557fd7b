"""Prints the ten tests that took the longest, from event streams of Swift Testing.

The times at the end of 'swift test' include the wait for other tests. Here, only the time of test cases counts.
"""

import collections
import json
import sys

names, starts, seconds = {}, {}, collections.Counter()
for stream in sys.argv[1:]:
    with open(stream, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            payload = record["payload"]
            if record["kind"] == "test":
                if payload["kind"] == "function":
                    names[payload["id"]] = payload.get("displayName") or payload["name"]
                continue
            case = (payload.get("testID"), json.dumps(payload.get("_testCase"), sort_keys=True))
            if payload["kind"] == "testCaseStarted":
                starts[case] = payload["instant"]["absolute"]
            elif payload["kind"] == "testCaseEnded" and case in starts:
                seconds[case[0]] += payload["instant"]["absolute"] - starts.pop(case)
if seconds:
    print(f"test: the ten slowest of {len(names):,} tests, in seconds, of {sum(seconds.values()):,.0f} in all:")
for test, time in seconds.most_common(10):
    print(f"{time:8.1f}  {names.get(test, test)}")
