"""Asks a service of Xorloom for decoding equations: service_client.py URL SPEC LOST.

Start the service with `xorloom serve`, then: service_client.py http://127.0.0.1:8127 rs:k=10,m=4 0,3
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request

if len(sys.argv) != 4:
    sys.exit(__doc__)
url, spec, lost = sys.argv[1:]
query = urllib.parse.urlencode({"spec": spec, "erase": lost})
try:
    with urllib.request.urlopen(f"{url}/v1/equations?{query}", timeout=30) as answer:
        equations = json.load(answer)
        etag = answer.headers["ETag"]
except urllib.error.HTTPError as refused:
    sys.exit(f"{spec}: {json.load(refused)['error']}")

print(f"{equations['cost']['xors']} XORs rebuild {lost} of {equations['code']['spec']}, ETag {etag}")
