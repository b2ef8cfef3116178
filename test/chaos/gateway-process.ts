/** A gateway in its own process, so that it can be killed. The parent controls it by messages. */
import { type GatewayPlace, openGateway, type RunSettings } from './gateway.ts'
import { StallWatch } from './stalls.ts'

const gateway = await openGateway(JSON.parse(process.argv[2] ?? '{}') as GatewayPlace)
const stalls = new StallWatch()
process.on('disconnect', () => process.exit())
process.on('message', (message: { begin: RunSettings } | 'stalls') => {
  if (message === 'stalls') return process.send?.(stalls.take())
  gateway.begin(message.begin)
  return process.send?.('begun')
})
process.send?.(gateway.url)
