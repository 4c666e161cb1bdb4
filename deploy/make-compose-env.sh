#!/bin/sh
# Writes the settings and secrets of each service of compose.yaml into the folder secrets/ beside it:
#   sh deploy/make-compose-env.sh foro.example
set -eu
umask 077
site=${1-}
case $site in
'' | *[!a-zA-Z0-9.-]*)
	echo 'usage: sh deploy/make-compose-env.sh foro.example (the name of the site, without https://)' >&2
	exit 2
	;;
esac
cd "$(dirname "$0")/.."
mkdir secrets # Fails when there is one: its passwords are those of the stored data.
random() { od -An -N "$1" -tx1 /dev/urandom | tr -d ' \n'; }
password=$(random 24)
key=GK$(random 12)
secret=$(random 32)

echo "SITE=$site" >secrets/caddy.env
echo "POSTGRES_PASSWORD=$password" >secrets/postgres.env
cat >secrets/garage.env <<END
GARAGE_RPC_SECRET=$(random 32)
GARAGE_DEFAULT_ACCESS_KEY=$key
GARAGE_DEFAULT_SECRET_KEY=$secret
END
cat >secrets/tertulia.env <<END
PUBLIC_URL=https://$site
DATABASE_URL=postgres://tertulia:$password@postgres/tertulia
S3_ACCESS_KEY_ID=$key
S3_SECRET_ACCESS_KEY=$secret
BACKUP_KEEP=7
END
