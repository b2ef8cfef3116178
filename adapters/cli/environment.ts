import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallContext } from '../../src/model/adapter.ts'
import type { Credential } from '../../src/model/credential.ts'
import { compileTemplate } from '../http/wire/credential-template.ts'

/** Switches common tools to non-interactive plain output: no terminal, prompts, pagers or colours. */
const QUIET = {
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  TERM: 'dumb',
  NO_COLOR: '1',
  // In several tools this variable overrides NO_COLOR.
  CLICOLOR_FORCE: '0',
  PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GH_PROMPT_DISABLED: '1',
  GH_NO_UPDATE_NOTIFIER: '1',
} as const

/** An empty home directory, so that a tool finds no user's login, settings, plugins or aliases. */
export interface PrivateHome {
  /** Creates the directory on first use. */
  path(): Promise<string>
  remove(): Promise<void>
}

export function createPrivateHome(): PrivateHome {
  let created: Promise<string> | null = null
  return {
    async path() {
      created ??= mkdtemp(join(tmpdir(), 'signalbox-cli-')).catch(error => {
        created = null
        throw error
      })
      const directory = await created
      // A cleaner of temporary files may have deleted it.
      await mkdir(directory, { recursive: true, mode: 0o700 })
      return directory
    },
    async remove() {
      const directory = await created?.catch(() => null)
      created = null
      if (directory) await rm(directory, { recursive: true, force: true })
    },
  }
}

/**
 * The complete environment of a child process. It inherits only PATH from the gateway, and gets a secret
 * only where `upstream.yaml` says `${credential}`.
 */
export function childEnvironment(
  declared: Readonly<Record<string, string>>,
  home: string,
  searchPath: string,
  { credential, traceparent }: Pick<CallContext, 'credential' | 'traceparent'>,
): Record<string, string> {
  return {
    PATH: searchPath,
    ...QUIET,
    HOME: home,
    TMPDIR: home,
    XDG_CONFIG_HOME: home,
    XDG_CACHE_HOME: home,
    XDG_DATA_HOME: home,
    XDG_STATE_HOME: home,
    XDG_RUNTIME_DIR: home,
    ...(traceparent ? { TRACEPARENT: traceparent } : {}),
    ...fillCredential(declared, credential),
  }
}

function fillCredential(
  declared: Readonly<Record<string, string>>,
  credential: Credential | null,
): Record<string, string> {
  const filled: Record<string, string> = {}
  for (const [name, text] of Object.entries(declared)) {
    const template = compileTemplate(text)
    const value = template === null ? text : template(credential)
    if (value !== null && value !== '') filled[name] = value
  }
  return filled
}
