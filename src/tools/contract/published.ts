import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createOpenApi, type OpenApi } from './openapi.ts'
import { PublishedApiError } from './published-api-error.ts'

const PACKAGE = fileURLToPath(new URL('../../../test/contract/', import.meta.url))
// Read the file directly: the package's main module loads ten editions of it, half a gigabyte.
const DESCRIPTION = `${PACKAGE}node_modules/@octokit/openapi/generated/api.github.com.json`

/**
 * Reads GitHub's published OpenAPI description. Its package has 385 MB, so it is not a dependency of
 * Signalbox: the first call installs it into test/contract.
 * @throws {PublishedApiError}
 */
export function readPublishedApi(log: (line: string) => void): OpenApi {
  if (!existsSync(DESCRIPTION)) install(log)
  return createOpenApi(JSON.parse(readFileSync(DESCRIPTION, 'utf8')))
}

function install(log: (line: string) => void): void {
  if (!existsSync(`${PACKAGE}package.json`)) {
    throw new PublishedApiError(
      'check --github works in a checkout of the repository only: there is no test/contract here.',
    )
  }
  log("Installing GitHub's OpenAPI description into test/contract (385 MB, once) …")
  try {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: PACKAGE, stdio: 'pipe' })
  } catch (error) {
    const stderr = String((error as { stderr?: unknown }).stderr ?? error).trim()
    throw new PublishedApiError(
      `npm ci failed in test/contract. Run it there yourself to see why.\n${stderr.split('\n').slice(-5).join('\n')}`,
      { cause: error },
    )
  }
}
