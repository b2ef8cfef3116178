import { tmpdir } from 'node:os'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { SIGNALBOX } from '../commands/support/signalbox.ts'
import { githubEnv } from './github.ts'

/** A client of `signalbox mcp`, which calls a sandbox. @param args behind the name of the command */
export async function openMcpStdio(sandboxUrl: string, args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1.2.3' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [SIGNALBOX, 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', ...githubEnv(sandboxUrl) },
    cwd: tmpdir(),
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}
