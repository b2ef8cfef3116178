import { commandSource } from './command-source.ts'
import { envSource } from './env-source.ts'
import { fileSource } from './file-source.ts'
import { githubAppSource } from './github-app/github-app-source.ts'
import type { SchemeSources } from './identity.ts'
import type { KnownSecrets } from './known-secrets.ts'
import { oauth2Source } from './oauth2-source.ts'
import type {
  AppId,
  GitHubAppDeclaration,
  OAuth2Declaration,
  TextSource,
  ValueSource,
} from './schema.ts'
import type { Source, SourceOptions } from './source.ts'

export type OpenOptions = Omit<SourceOptions, 'remember'>

/** A name is no secret, and would blank out ordinary words. */
const FORGET = () => {}

/** Opens the source of a scheme, or the two of `basic`. */
export function openScheme(
  source: ValueSource,
  options: OpenOptions,
  known: KnownSecrets,
): SchemeSources {
  const { username, password, ...text } = source
  const opening = { ...options, remember: known.ofSource() }
  if (!username || !password) return { text: openSource(text, opening, known) }
  return {
    username: openSource(username, { ...options, remember: FORGET }, known),
    password: openSource(password, opening, known),
    remember: known.ofSource(),
  }
}

function openSource(declared: TextSource, options: SourceOptions, known: KnownSecrets): Source {
  const { env, file, command, oauth2, github_app } = declared
  if (env !== undefined) return variableSource([env].flat(), options)
  if (file !== undefined) return fileSource(file, options)
  if (command !== undefined) return commandSource(command, options)
  if (github_app !== undefined) return openApp(github_app, options, known)
  if (oauth2 === undefined) throw new TypeError('the schema asks for a source')
  return openClient(oauth2, options, known)
}

function openClient(
  oauth2: OAuth2Declaration,
  options: SourceOptions,
  known: KnownSecrets,
): Source {
  const inner = (source?: TextSource) => {
    const remember = known.ofSource()
    return source === undefined ? null : openSource(source, { ...options, remember }, known)
  }
  const client = {
    clientId: openSource(oauth2.client_id, { ...options, remember: FORGET }, known),
    clientSecret: inner(oauth2.client_secret),
    refreshToken: inner(oauth2.refresh_token),
  }
  return oauth2Source(oauth2, client, options)
}

function openApp(app: GitHubAppDeclaration, options: SourceOptions, known: KnownSecrets): Source {
  const key = { ...options, remember: known.ofSource() }
  const sources = {
    appId: appIdSource(app.app_id, options, known),
    privateKey: openSource(app.private_key, key, known),
  }
  return githubAppSource(app, { ...options, sources, rememberMore: () => known.ofSource() })
}

function appIdSource(id: AppId, options: SourceOptions, known: KnownSecrets): Source {
  if (typeof id === 'object') return openSource(id, { ...options, remember: FORGET }, known)
  return {
    lacking: null,
    found: 'app_id is set',
    get: () => String(id),
    renew: async () => null,
    close: () => {},
  }
}

/** A variable, or the file that one with `_FILE` at its end names, as container platforms mount secrets. */
function variableSource(names: readonly string[], options: SourceOptions): Source {
  const { env } = options
  // An empty variable counts as unset: Compose passes one on for each that is missing.
  const isSet = names.some(name => env[name])
  const variable = isSet ? undefined : names.map(fileVariable).find(name => env[name])
  if (variable === undefined) return envSource(names, options)
  return fileSource(env[variable] ?? '', options, variable)
}

function fileVariable(name: string): string {
  return `${name}_FILE`
}
