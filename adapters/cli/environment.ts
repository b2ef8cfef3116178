import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallContext } from '../../src/model/adapter.ts'

const CREDENTIAL = '${credential}'

/** Says to common tools, in their own words: nobody is there to answer, and nothing is a terminal. */
const QUIET = {
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  TERM: 'dumb',
  NO_COLOR: '1',
  // Several tools let this one overrule NO_COLOR.
  CLICOLOR_FORCE: '0',
  PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GH_PROMPT_DISABLED: '1',
  GH_NO_UPDATE_NOTIFIER: '1',
} as const

/** A private empty home, so that a tool finds nobody's login, settings, plugins or aliases. */
export interface PrivateHome {
  /** Made when first asked for. */
  path(): Promise<string>
  remove(): Promise<void>
}

export function createPrivateHome(): PrivateHome {
  let made: Promise<string> | null = null
  return {
    async path() {
      made ??= mkdtemp(join(tmpdir(), 'signalbox-cli-')).catch(error => {
        made = null
        throw error
      })
      const directory = await made
      // Whatever tidies up temporary directories may have taken it.
      await mkdir(directory, { recursive: true, mode: 0o700 })
      return directory
    },
    async remove() {
      const directory = await made?.catch(() => null)
      made = null
      if (directory) await rm(directory, { recursive: true, force: true })
    },
  }
}

/**
 * The whole environment of a child. Of the gateway's own only PATH goes in; secrets reach a child only
 * where `upstream.yaml` says `${credential}`.
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
    ...fillIn(declared, credential?.token ?? ''),
  }
}

function fillIn(declared: Readonly<Record<string, string>>, token: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(declared)
      .filter(([, value]) => token !== '' || !value.includes(CREDENTIAL))
      .map(([name, value]) => [name, value.replaceAll(CREDENTIAL, () => token)] as const)
      .filter(([, value]) => value !== ''),
  )
}
