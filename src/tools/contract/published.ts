import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { NotPublishedError } from './not-published.ts'
import { createOpenApi, type OpenApi } from './openapi.ts'

const PACKAGE = fileURLToPath(new URL('../../../test/contract/', import.meta.url))
// Its main module would load ten editions of the description, half a gigabyte.
const DESCRIPTION = `${PACKAGE}node_modules/@octokit/openapi/generated/api.github.com.json`

/**
 * Reads GitHub's published OpenAPI description. It comes in a package of 385 MB, so that is installed
 * when it is first needed, and apart from everything else.
 * @throws {NotPublishedError}
 */
export function readPublishedApi(tell: (line: string) => void): OpenApi {
  if (!existsSync(DESCRIPTION)) install(tell)
  return createOpenApi(JSON.parse(readFileSync(DESCRIPTION, 'utf8')))
}

function install(tell: (line: string) => void): void {
  if (!existsSync(`${PACKAGE}package.json`)) {
    throw new NotPublishedError(
      'check --github needs a checkout of the repository: test/contract is not here.',
    )
  }
  tell("installing GitHub's OpenAPI description into test/contract (385 MB, once)")
  try {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: PACKAGE, stdio: 'pipe' })
  } catch (error) {
    const stderr = String((error as { stderr?: unknown }).stderr ?? error).trim()
    throw new NotPublishedError(
      `npm ci in test/contract failed. Run it there yourself to see why.\n${stderr.split('\n').slice(-5).join('\n')}`,
      { cause: error },
    )
  }
}
