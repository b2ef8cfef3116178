import { dirname } from 'node:path'
import { type CredentialOptions, openCredentials, PLACEHOLDER } from '../credentials/open.ts'
import type { CredentialsSource, SchemeSource, ValueSource } from '../credentials/schema.ts'
import type { ServiceApi } from '../credentials/source.ts'
import type { Problem } from '../lib/problem.ts'
import type { KeyPath, SourceFile } from '../lib/yaml-source.ts'
import type { Upstream } from '../model/card.ts'
import { NEEDS_NOTHING, type Needs, type Scheme, type Schemes } from '../model/credential.ts'
import type { Environment } from '../model/environment.ts'
import {
  type ConfiguredCredentials,
  configuredFor,
  reportConfigured,
} from './configured-credentials.ts'
import { compileNeeds, samePlace } from './needs.ts'
import { reportProblem } from './report.ts'
import type { UpstreamSource } from './schema.ts'

interface Declared {
  readonly schemes: Schemes
  readonly credentials: CredentialsSource
  readonly passthrough: string | null
  readonly needs: Needs
}

export type Credentialed = Pick<Upstream, 'schemes' | 'credentials' | 'needs'>

type Report = (path: KeyPath, message: string, fix: string) => void

/** Opens the credentials of an upstream; null when their declaration has faults. */
export function connectCredentials(
  file: UpstreamSource,
  source: SourceFile,
  options: CredentialsOptions,
  problems: Problem[],
): Credentialed | null {
  const before = problems.length
  const { configured, workers, ...opening } = options
  const report: Report = (...fault) => reportProblem(source, ...fault, problems)
  const declared =
    file.schemes === undefined ? shortForm(file, report) : longForm(file, options.env, report)
  const { schemes, needs, credentials, passthrough } = declared
  checkApps(credentials, opening.api, (path, ...fault) =>
    report(['credentials', ...path], ...fault),
  )
  const added = configuredFor(file.id, configured, Object.keys(schemes), problems)
  const reportAdded: Report = (path, ...fault) =>
    reportConfigured([file.id, ...path.slice(1)], ...fault, problems)
  if (file.schemes !== undefined) checkSources(added, schemes, reportAdded)
  checkNames(added, options.env, reportAdded)
  checkApps(added, opening.api, (path, ...fault) => reportAdded(['credentials', ...path], ...fault))
  if (workers > 1) {
    checkRotation(credentials, report)
    checkRotation(added, reportAdded)
  }
  if (problems.length > before) return null
  const own = { upstream: file.id, credentials: { ...credentials, ...added }, passthrough }
  // Paths of the settings start where the gateway does.
  const directory = (name: string) => (Object.hasOwn(added, name) ? '.' : dirname(source.file))
  return { schemes, needs, credentials: openCredentials(own, { ...opening, directory }) }
}

export interface CredentialsOptions extends Omit<CredentialOptions, 'directory'> {
  readonly configured: ConfiguredCredentials
  /** How many workers use the credentials. */
  readonly workers: number
}

/** A server may replace a refresh token with each use, and another worker would still have the old one. */
function checkRotation(credentials: CredentialsSource, report: Report): void {
  for (const [identity, sources] of Object.entries(credentials)) {
    for (const [scheme, { oauth2 }] of Object.entries(sources)) {
      if (oauth2?.grant !== 'refresh_token') continue
      const fix = 'Start one worker, or use the grant client_credentials.'
      report(['credentials', identity, scheme, 'oauth2', 'grant'], 'belongs to one process', fix)
    }
  }
}

function checkApps(credentials: CredentialsSource, api: ServiceApi | null, report: Report): void {
  if (api !== null) return
  for (const [identity, sources] of Object.entries(credentials)) {
    for (const [scheme, { github_app }] of Object.entries(sources)) {
      if (github_app === undefined) continue
      const fix = 'Add rest with base_url to upstream.yaml: the tokens come from there.'
      report([identity, scheme, 'github_app'], 'has no API to get tokens from', fix)
    }
  }
}

/** `credential:`, whose secret goes where `${credential}` stands. */
function shortForm({ credential, credentials, needs }: UpstreamSource, report: Report): Declared {
  for (const [key, value] of Object.entries({ credentials, needs })) {
    if (value === undefined) continue
    report([key], 'has no schemes to refer to', 'Declare them under schemes, or remove it.')
  }
  if (!credential) {
    return { schemes: {}, credentials: {}, passthrough: null, needs: NEEDS_NOTHING }
  }
  const { env = [], passthrough = false, required = true } = credential
  return {
    schemes: { [PLACEHOLDER]: { type: 'placeholder' } },
    credentials: env.length === 0 ? {} : { default: { [PLACEHOLDER]: { env } } },
    passthrough: passthrough ? PLACEHOLDER : null,
    needs: required ? [[PLACEHOLDER]] : [[PLACEHOLDER], []],
  }
}

function longForm(file: UpstreamSource, env: Environment, report: Report): Declared {
  const { credential, credentials = {}, needs } = file
  const sources: Readonly<Record<string, SchemeSource>> = file.schemes ?? {}
  if (credential) {
    const fix = 'Remove it: schemes and credentials take its place.'
    report(['credential'], 'is the short form of schemes and credentials', fix)
  }
  const schemes = Object.fromEntries(
    Object.entries(sources).map(([name, one]) => [name, compileScheme(name, one, report)]),
  )
  checkSources(credentials, schemes, report)
  checkNames(credentials, env, report)
  return {
    schemes,
    credentials,
    passthrough: passthroughOf(sources, report),
    needs: usualNeeds(needs, schemes, report),
  }
}

const NAMED: readonly string[] = ['header', 'query', 'cookie']

function compileScheme(key: string, source: SchemeSource, report: Report): Scheme {
  checkScheme(['schemes', key], source, report)
  const { type, name = '', prefix } = source
  switch (type) {
    case 'header':
      return prefix === undefined ? { type, name } : { type, name, prefix }
    case 'query':
    case 'cookie':
      return { type, name }
    default:
      return { type }
  }
}

function checkScheme(path: KeyPath, { type, name, prefix }: SchemeSource, report: Report): void {
  const isNamed = NAMED.includes(type)
  if (isNamed && name === undefined) {
    report(path, 'has no name', `Add name: the name of the ${type}.`)
  }
  if (!isNamed && name !== undefined) {
    report([...path, 'name'], `has no effect on ${type}`, 'Remove it.')
  }
  if (type !== 'header' && prefix !== undefined) {
    report([...path, 'prefix'], `has no effect on ${type}`, 'Remove it.')
  }
}

/** Callers send one text, so it can be the secret of one scheme only. */
function passthroughOf(
  schemes: Readonly<Record<string, SchemeSource>>,
  report: Report,
): string | null {
  const names = Object.keys(schemes).filter(name => schemes[name]?.passthrough === true)
  const [first = null, second] = names
  if (second !== undefined) {
    const fix = `Keep it at one of ${names.join(', ')}: a call has one X-Upstream-Authorization.`
    report(['schemes', second, 'passthrough'], 'is set at another scheme too', fix)
  }
  if (first !== null && schemes[first]?.type === 'basic') {
    const fix = 'Remove it, or let callers send the whole value with a scheme of type header.'
    report(
      ['schemes', first, 'passthrough'],
      'does not work with basic, which has two secrets',
      fix,
    )
  }
  return first
}

const TEXTS = ['env', 'file', 'command', 'oauth2', 'github_app'] as const

function checkSources(credentials: CredentialsSource, schemes: Schemes, report: Report): void {
  for (const [identity, sources] of Object.entries(credentials)) {
    for (const [scheme, source] of Object.entries(sources)) {
      const path = ['credentials', identity, scheme]
      const type = schemes[scheme]?.type
      if (type === undefined) {
        report(path, 'names no scheme', `Use one of ${Object.keys(schemes).join(', ')}.`)
      } else if (type === 'basic') {
        checkPair(path, source, report)
      } else {
        checkText(path, source, report)
      }
    }
  }
}

/** A colon ends the user name of basic (RFC 7617 §2). Other sources are read at a call, which then fails. */
function checkNames(credentials: CredentialsSource, env: Environment, report: Report): void {
  for (const [identity, sources] of Object.entries(credentials)) {
    for (const [scheme, { username }] of Object.entries(sources)) {
      const set = [username?.env ?? []].flat().find(name => env[name])
      if (set === undefined || !env[set]?.includes(':')) continue
      report(
        ['credentials', identity, scheme, 'username'],
        `reads ${set}, whose value has a colon, which no user name may have`,
        `Set ${set} to the part before the colon, and give the rest to the source of password.`,
      )
    }
  }
}

function checkPair(path: KeyPath, source: ValueSource, report: Report): void {
  const { username, password } = source
  if (username && password && textsOf(source) === 0) return
  report(path, 'is the source of basic', 'Give it username and password, each with a source.')
}

function checkText(path: KeyPath, source: ValueSource, report: Report): void {
  checkOAuth(source.oauth2, [...path, 'oauth2'], report)
  if (!source.username && !source.password && textsOf(source) === 1) return
  report(path, 'is the source of one text', `Give it exactly one of ${TEXTS.join(', ')}.`)
}

function textsOf(source: ValueSource): number {
  return TEXTS.filter(key => source[key] !== undefined).length
}

function checkOAuth(oauth2: ValueSource['oauth2'], path: KeyPath, report: Report): void {
  if (oauth2 === undefined) return
  const { grant, refresh_token } = oauth2
  if (grant === 'refresh_token' && refresh_token === undefined) {
    report(path, 'has no refresh_token', 'Add refresh_token with its source.')
  }
  if (grant !== 'refresh_token' && refresh_token !== undefined) {
    report([...path, 'refresh_token'], 'is not used', 'Add grant: refresh_token, or remove it.')
  }
}

/** The needs of cards that name none. Only the author knows which of several schemes go together. */
function usualNeeds(needs: UpstreamSource['needs'], schemes: Schemes, report: Report): Needs {
  const names = Object.keys(schemes)
  if (needs !== undefined) return compileNeeds(needs, schemes, ['needs'], report)
  if (names.length > 1) {
    const fix = `Add needs with those that most requests need, such as needs: [${names.join(', ')}] for all together.`
    report(['schemes'], 'are several, and needs does not say which of them a request needs', fix)
  }
  const place = samePlace(names, schemes)
  return place === null ? [names] : NEEDS_NOTHING
}
