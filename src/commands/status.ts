import { connectGateway, type GatewayOptions, GatewayUnreachable } from './gateway-client.ts'
import { readStatus } from './gateway-status.ts'
import { print, printError, printJson } from './output.ts'
import { toScreen } from './status-screen.ts'

export interface StatusOptions extends GatewayOptions {
  readonly json?: boolean
}

/** Prints the state of a running gateway on one screen. The exit code is 0 only if it takes calls. */
export async function status({ json = false, ...options }: StatusOptions): Promise<void> {
  const client = connectGateway(options)
  try {
    const found = await readStatus(client, Date.now())
    if (json) printJson(found)
    else print(toScreen(found, Date.now()))
    process.exitCode = found.ready ? 0 : 1
  } catch (error) {
    if (!(error instanceof GatewayUnreachable)) throw error
    if (json) printJson({ url: client.url, ready: false, status: error.message })
    else printError(`signalbox: ${error.message}`)
    process.exitCode = 1
  }
}
