import { join } from 'node:path'
import { runHere } from '../../../commands/support/run-here.ts'
import { type Ended, temporaryDirectory } from '../../../commands/support/signalbox.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts'

/** The result of `signalbox import`, and a gateway that serves it. */
export interface Imported extends AsyncDisposable {
  /** The folder with the cards. */
  readonly folder: string
  /** How the command ended. */
  readonly ended: Ended
  readonly gateway: TestGateway
}

/** Imports a document into a folder of this name. `env` is for the gateway. */
export async function importAndServe(
  document: string,
  name: string,
  { args = [], env }: { readonly args?: readonly string[]; readonly env: Record<string, string> },
): Promise<Imported> {
  const directory = await temporaryDirectory()
  const folder = join(directory.path, name)
  const ended = await runHere(['import', document, '--out', folder, ...args])
  const gateway = await startTestGateway({ settings: { capabilities: [folder] }, env })
  return {
    folder,
    ended,
    gateway,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}
