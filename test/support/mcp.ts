import { tmpdir } from 'node:os'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { SIGNALBOX } from '../commands/support/signalbox.ts'
import { githubEnv } from './github.ts'

/**
 * A client of `signalbox mcp`, which calls a sandbox.
 * @param args behind the name of the command
 * @param onEnd takes what ends the program
 * @param env further variables
 */
export async function openMcpStdio(
  sandboxUrl: string,
  args: readonly string[],
  onEnd: (close: () => Promise<void>) => void = onTestFinished,
  env: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1.2.3' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [SIGNALBOX, 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', ...githubEnv(sandboxUrl), ...env },
    cwd: tmpdir(),
  })
  await client.connect(transport)
  onEnd(() => client.close())
  return client
}
