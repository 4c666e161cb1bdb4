#!/bin/sh
# Serves what `prepare.js` has prepared. A service runs it without npm, which would stay beside the
# server and take 59 MB.
cd "$(dirname "$0")/.." || exit

# Read by glibc; other systems ignore them (decision 006).
export MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=32768 MALLOC_TRIM_THRESHOLD_=131072

exec node_modules/.bin/node --max-semi-space-size=2 src/server/start.js
