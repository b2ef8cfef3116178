/** The HEALTHCHECK of the image: exits with 0 if the gateway in this container answers /livez. */
import { get } from 'node:http'

const { HOST = '127.0.0.1', PORT = '8080' } = process.env
const everyAddress = ['0.0.0.0', '::', '']

const request = get({
  host: everyAddress.includes(HOST) ? '127.0.0.1' : HOST,
  port: PORT,
  path: '/livez',
  timeout: 2_500,
})
request.on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
request.on('timeout', () => request.destroy(new Error('no answer within 2.5 s')))
request.on('error', error => {
  process.stderr.write(`GET http://${HOST}:${PORT}/livez: ${error.message}\n`)
  process.exit(1)
})
