import type { Socket } from 'node:net'
import plugin from 'fastify-plugin'

/**
 * Browsers and HTTP clients open connections ahead of need. One that has sent nothing yet does not count
 * as idle, so that a server that closes would wait for it: until a timeout, a minute later.
 */
export const unusedConnections = plugin(
  (app, _options, done) => {
    const open = new Set<Socket>()
    app.server.on('connection', (socket: Socket) => {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
    })
    app.addHook('preClose', ended => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
      ended()
    })
    done()
  },
  { name: 'unused-connections' },
)
