/** A gateway in a process of its own, so that it can be killed. Its parent speaks to it in messages. */
import { type GatewayPlace, openGateway, type Wishes } from './gateway.ts'
import { StallWatch } from './stalls.ts'

const gateway = await openGateway(JSON.parse(process.argv[2] ?? '{}') as GatewayPlace)
const stalls = new StallWatch()
process.on('disconnect', () => process.exit())
process.on('message', (message: { begin: Wishes } | 'stalls') => {
  if (message === 'stalls') return process.send?.(stalls.take())
  gateway.begin(message.begin)
  return process.send?.('begun')
})
process.send?.(gateway.url)
