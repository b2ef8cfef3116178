import { Octokit } from 'octokit'
import { afterAll, beforeEach } from 'vitest'
import { createSandbox } from '../../sandbox/index.ts'

export const repo = { owner: 'octo-org', repo: 'hello-world' }

/** GitHub's own client, and a sandbox that is reset before each test of the file. */
export async function openOctokit() {
  const sandbox = await createSandbox()
  beforeEach(sandbox.reset)
  afterAll(() => sandbox.close())
  const octokit = new Octokit({
    baseUrl: sandbox.url,
    auth: 'sandbox-token',
    retry: { enabled: false },
    throttle: { enabled: false },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })
  return { sandbox, octokit }
}
