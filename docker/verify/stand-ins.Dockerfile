# Stand-ins for the public images of several.yaml, from Debian's packages, for machines without a container registry.
# They take the variables, files and folders that several.yaml uses, as the public images do.

FROM localhost/node:24-slim AS packages
# Debian starts a server when it installs one. Nothing may run while an image is built.
RUN printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod 755 /usr/sbin/policy-rc.d \
 && apt-get update \
 && apt-get install -y --no-install-recommends postgresql redis-server caddy prometheus \
 && rm -rf /var/lib/apt/lists/* /var/lib/postgresql/*/main

FROM packages AS caddy
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]

FROM packages AS redis
USER redis

FROM packages AS prometheus
RUN install -d -o prometheus /prometheus
USER prometheus
CMD ["prometheus", "--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"]

FROM packages AS postgres
COPY postgres.sh /usr/local/bin/
CMD ["postgres.sh"]
