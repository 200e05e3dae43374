#!/bin/sh
# Makes stand-ins for the base images of the Dockerfile, where no registry of images can be reached: Debian by
# debootstrap, and the Node and npm of this machine. Arguments: a directory, Debian's suite, the binary of Node, the
# folder of npm. Writes node.tar (Debian with Node and npm) and distroless.tar (Node and its libraries: no shell).
set -eu
cd "$1"
suite=$2 node=$3 npm=$4

debootstrap --variant=minbase --include=ca-certificates "$suite" debian http://deb.debian.org/debian >debootstrap.log
rm -rf debian/var/cache/apt debian/var/lib/apt/lists

# Also authorities that only this machine trusts, on the way to npm's registry.
cp -L /etc/ssl/certs/ca-certificates.crt debian/etc/ssl/certs/ca-certificates.crt

mkdir -p debian/distroless/nodejs/bin debian/distroless/tmp debian/distroless/etc/ssl/certs
cp "$node" debian/distroless/nodejs/bin/node
# shellcheck disable=SC2016
chroot debian sh -c 'ldd /distroless/nodejs/bin/node | grep -o "/lib[^ ]*" | xargs cp -L --parents -t /distroless'
cp debian/etc/ssl/certs/ca-certificates.crt debian/distroless/etc/ssl/certs/
chmod 1777 debian/distroless/tmp
printf '%s\n' root:x:0:0:root:/root:/sbin/nologin nonroot:x:65532:65532:nonroot:/:/sbin/nologin \
  >debian/distroless/etc/passwd
tar --create --file distroless.tar --directory debian/distroless .
rm -r debian/distroless

mkdir -p debian/usr/local/lib/node_modules
cp "$node" debian/usr/local/bin/node
cp -a "$npm" debian/usr/local/lib/node_modules/npm
ln -s ../lib/node_modules/npm/bin/npm-cli.js debian/usr/local/bin/npm
tar --create --file node.tar --directory debian .
rm -r debian
