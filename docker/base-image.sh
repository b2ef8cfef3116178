#!/usr/bin/env bash
# Builds a replacement for the official node:24-slim without a container registry, and imports it
# into podman's storage. Takes Debian from the mirror that apt uses on this machine, and Node and npm
# from the npm registry.
#
#   docker/base-image.sh [TAG]        default TAG: localhost/node:24-slim; needs root
#
# Does nothing if this version of the script has already built TAG for the same Node and Debian.
set -euo pipefail

tag=${1:-localhost/node:24-slim}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lock=$here/../package-lock.json

die() { printf 'base-image: %s\n' "$*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || die 'debootstrap needs root'
for tool in podman debootstrap npm node; do
  command -v "$tool" >/dev/null || die "$tool is missing"
done

case $(uname -m) in
  x86_64) cpu=x64 ;;
  aarch64) cpu=arm64 ;;
  *) die "no Node package for $(uname -m)" ;;
esac
node_version=$(node -p "require('$lock').packages['node_modules/node'].version")

# Prints the main repositories that apt has indexes of, one "URI codename" per line.
debian_repositories() {
  apt-get indextargets --format "\$(ORIGIN)|\$(COMPONENT)|\$(REPO_URI) \$(CODENAME)" 'Created-By: Packages' |
    sed -n 's/^Debian|main|//p' | sort -u
}
debian=$(debian_repositories)
if [ -z "$debian" ]; then
  apt-get update -qq || true
  debian=$(debian_repositories)
fi
# Pick the base suite, not an overlay such as bookworm-updates.
read -r mirror suite < <(grep -v -- '-[a-z-]*$' <<<"$debian") ||
  die 'apt knows no Debian mirror'

made_by=$({ cat "${BASH_SOURCE[0]}"; printf '%s\n' "$node_version" "$suite" "$cpu"; } | sha256sum | cut -c1-16)
if [ "$(podman image inspect --format '{{index .Labels "made-by"}}' "$tag" 2>/dev/null)" = "$made_by" ]; then
  printf 'base-image: %s is up to date (Node %s, %s)\n' "$tag" "$node_version" "$suite"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root

printf 'base-image: building %s (Node %s, %s)\n' "$tag" "$node_version" "$suite"
debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$work/debootstrap.log" 2>&1 ||
  { tail -n 20 "$work/debootstrap.log" >&2; die 'debootstrap failed'; }
# Include updates and security fixes if this machine's apt has them.
while read -r uri codename; do
  printf 'deb %s %s main\n' "$uri" "$codename"
done <<<"$debian" >"$root/etc/apt/sources.list"

unpack() { # unpack PACKAGE FOLDER: unpacks an npm package without running its scripts
  local tarball
  tarball=$(cd "$work" && npm pack --silent "$1") || die "npm cannot fetch $1"
  mkdir -p "$2"
  tar -xzf "$work/$tarball" -C "$2" --strip-components=1 --no-same-owner
}
unpack "node-linux-$cpu@$node_version" "$work/node"
install -D -m 755 "$work/node/bin/node" "$root/usr/local/bin/node"
unpack npm@11 "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
chmod 755 "$root"/usr/local/lib/node_modules/npm/bin/np[mx]-cli.js

chroot "$root" groupadd --gid 1000 node
chroot "$root" useradd --uid 1000 --gid node --shell /bin/bash --create-home node
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/var/log/*.log
printf 'nameserver 127.0.0.1\n' >"$root/etc/resolv.conf" # not this machine's; the engine replaces it at run time

tar -C "$root" --numeric-owner -c . | podman import --quiet \
  --change "ENV NODE_VERSION=$node_version" --change 'CMD ["node"]' --change "LABEL made-by=$made_by" \
  - "$tag" >/dev/null
printf 'base-image: %s is ready\n' "$tag"
