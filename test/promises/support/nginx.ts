import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../support/until.ts'
import { type Sending, send } from './workers.ts'

/**
 * Starts nginx before a gateway, with idle connections that it uses again. It sends no request a second time: each that meets a
 * connection which the gateway closes is lost.
 */
export async function startNginx(url: string) {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-nginx-'))
  const socketPath = join(directory, 'proxy.sock')
  const file = join(directory, 'nginx.conf')
  await writeFile(file, configuration(directory, socketPath, new URL(url).host))
  const child = spawn('nginx', ['-p', directory, '-e', 'stderr', '-c', file], { stdio: 'inherit' })
  const ended = once(child, 'exit')
  const close = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(directory, { recursive: true })
  }
  const proxied = (sending: Sending) => send({ url }, { ...sending, socketPath })
  const isServing = async () =>
    (await proxied({ path: '/livez' }).catch(() => null))?.status === 200
  await until(isServing, serving => serving, 30_000).catch(async error => {
    await close()
    throw error
  })
  return { send: proxied, [Symbol.asyncDispose]: close }
}

const configuration = (directory: string, socketPath: string, gateway: string) => `
daemon off;
pid ${directory}/pid;
error_log stderr crit;
events {}
http {
  access_log off;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  upstream gateway {
    server ${gateway};
    keepalive 16;
  }
  server {
    listen unix:${socketPath};
    location / {
      proxy_pass http://gateway;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_next_upstream off;
    }
  }
}
`
