import type { Socket } from 'node:net'
import plugin from 'fastify-plugin'

/**
 * Destroys, at shutdown, the connections that have sent nothing. Browsers and HTTP clients open connections ahead
 * of need; Node does not count those as idle, and would wait a minute for them to time out.
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
