#!/bin/sh
# Boots the Debian in the folder $1 with systemd as its first process. Run it by:
#   unshare --pid --mount --uts --ipc --cgroup --fork --kill-child sh boot-system.sh FOLDER
# It shares the network of this machine, and cannot change its kernel settings.
set -e
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs tmpfs run
mount -t tmpfs -o mode=755 tmpfs dev
for device in null:3 zero:5 full:7 random:8 urandom:9; do
	mknod -m 666 "dev/${device%:*}" c 1 "${device#*:}"
done
mkdir dev/shm dev/pts
mount -t tmpfs tmpfs dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mkdir -p mnt/before
pivot_root . mnt/before
cd /
umount -l mnt/before
mount --make-rshared /
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /usr/lib/systemd/systemd \
	--unit=multi-user.target --log-target=journal-or-kmsg --show-status=0
