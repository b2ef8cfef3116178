import { RESET_PARTS } from '../model/reset.ts'
import { connectGateway, type GatewayOptions, GatewayUnreachable } from './gateway-client.ts'
import { printError, printJson } from './output.ts'

export interface ResetOptions extends GatewayOptions {
  readonly quota?: boolean
  readonly circuit?: boolean
}

/** Makes a running gateway forget the quotas and circuits of an upstream, and prints which. */
export async function resetUpstream(id: string, options: ResetOptions): Promise<void> {
  const parts = RESET_PARTS.filter(part => options[part])
  const body = Object.fromEntries(parts.map(part => [part, true]))
  await change(`/v1/upstreams/${encodeURIComponent(id)}/reset`, body, options)
}

/** Makes a running gateway load its cards again, and prints the changes. */
export async function reloadCards(options: GatewayOptions): Promise<void> {
  await change('/v1/cards/reload', {}, options)
}

async function change(path: string, body: object, options: GatewayOptions): Promise<void> {
  try {
    const { data, error } = await connectGateway(options).post(path, body)
    if (error === null) return printJson(data)
    printError(`signalbox: ${error.code}: ${error.message}`)
  } catch (error) {
    if (!(error instanceof GatewayUnreachable)) throw error
    printError(`signalbox: ${error.message}`)
  }
  process.exitCode = 1
}
