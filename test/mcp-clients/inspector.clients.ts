import { describe, expect, test } from 'vitest'
import { openTarget, REPO, runPackaged, type Target, TRANSPORTS } from './support.ts'

const INSPECTOR = '@modelcontextprotocol/inspector/clients/launcher/build/index.js'

/** Runs the inspector without its pages, and returns the result that it prints. */
async function inspect(target: Target, method: readonly string[]) {
  const where =
    'url' in target
      ? ['--transport', 'http', target.url]
      : [...environment(target.env), target.command, ...target.args]
  const { code, output } = await runPackaged(INSPECTOR, ['--cli', ...where, ...method])
  expect({ code, output }).toMatchObject({ code: 0 })
  // oxlint-disable-next-line typescript/no-explicit-any -- results of several methods
  return JSON.parse(output) as any
}

function environment(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
}

describe.each(TRANSPORTS)('the command line of the MCP inspector, over %s', transport => {
  test('lists the five tools, and calls through them', async () => {
    const target = await openTarget(transport, 'search')
    const { tools } = await inspect(target, ['--method', 'tools/list'])
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      'search',
      'describe',
      'call',
      'batch',
      'get_hints',
    ])
    const call = ['--method', 'tools/call', '--tool-name', 'call']
    const args = ['--tool-arg', 'capability=repo.view', `input=${JSON.stringify(REPO)}`]
    const { content, isError } = await inspect(target, [...call, ...args])
    expect(content[0].text).toContain('octo-org/hello-world')
    expect(isError ?? false).toBe(false)
  })

  test('calls the tool of a capability', async () => {
    const target = await openTarget(transport, 'read:repo.*')
    const call = ['--method', 'tools/call', '--tool-name', 'repo_view']
    const args = ['--tool-arg', `owner=${REPO.owner}`, `name=${REPO.name}`]
    const { content } = await inspect(target, [...call, ...args])
    expect(content[0].text).toContain('octo-org/hello-world')
  })
})
