#!/bin/sh
# Serves what `prepare.js` has prepared. A systemd unit runs this file, because npm would stay
# resident beside the server and take 59 MB.
cd "$(dirname "$0")/.." || exit

# glibc keeps freed memory by default; other systems ignore these (docs/decisions/006).
export MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=32768 MALLOC_TRIM_THRESHOLD_=131072
# In the installation: code in a shared temporary folder could be replaced by other users.
export NODE_COMPILE_CACHE=node_modules/.cache/tertulia

# Space for young objects: with 2 MB the server takes 20 MB less under load, but collects far more
# often while it renders pages.
exec node_modules/.bin/node --max-semi-space-size=8 src/server/operations/main.ts
