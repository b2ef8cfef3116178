import { type Static, Type } from '@sinclair/typebox'
import { APPROVERS } from '../model/approval.ts'
import type { Caller } from '../model/caller.ts'
import { CARD_PATTERN, parseCardPattern } from '../model/card-pattern.ts'
import { OneOf } from '../model/one-of.ts'
import { PROFILE_NAMES } from '../model/profile-name.ts'
import { SCOPES } from '../model/scopes.ts'
import type { SettingsError } from '../model/settings-error.ts'
import { STRANGERS } from '../model/texts.ts'
import { parseToolSelection, TOOL_WORD } from '../model/tool-selection.ts'

const Patterns = (description: string) =>
  Type.Optional(Type.Array(Type.String({ pattern: CARD_PATTERN }), { maxItems: 200, description }))

/** The members of a key or a role that say what its callers may do, and how they are served. */
export const RIGHTS = {
  operator: Type.Optional(
    Type.Boolean({ description: "May read every caller's requests, and operate the gateway." }),
  ),
  scopes: Type.Optional(
    Type.Array(OneOf(SCOPES, 'graphql or metrics.'), {
      description: 'Further permissions: graphql, metrics.',
    }),
  ),
  allow: Patterns('The only capabilities that it may call, such as read:* or issue.*.'),
  deny: Patterns('Capabilities that it may not call, whatever allow says.'),
  approve: Patterns('Capabilities of which a person has to approve each call.'),
  approve_by: Type.Optional(
    OneOf(
      APPROVERS,
      'Who decides: operators only (the default), or also the person whom its MCP client asks.',
    ),
  ),
  read_only: Type.Optional(Type.Boolean({ description: 'Short for allow: [read:*].' })),
  requests_per_minute: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The most calls in a minute.' }),
  ),
  concurrency: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The most calls that run at once.' }),
  ),
  credentials: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: "For an upstream, the name of the upstream's credential that its calls use.",
    }),
  ),
  passthrough: Type.Optional(
    Type.Boolean({ description: 'Whether it may send a credential of its own. Default: true.' }),
  ),
  profile: Type.Optional(
    OneOf(PROFILE_NAMES, 'Dialect of its answers, unless a call names another.'),
  ),
  strangers: Type.Optional(
    OneOf(STRANGERS, 'What becomes of text that others wrote. Default: mark.'),
  ),
  tools: Type.Optional(
    Type.Array(Type.String({ pattern: TOOL_WORD }), {
      minItems: 1,
      maxItems: 200,
      description: 'Its tools over MCP: search, all, or patterns such as repo.*, -pr.merge.',
    }),
  ),
}
const Rights = Type.Object(RIGHTS)
export type Rights = Static<typeof Rights>

/**
 * A caller of this name with these rights.
 * @param unusable makes the error that names the entry of the settings
 * @throws {SettingsError} for two lists of what it may call.
 */
export function openRights(
  name: string,
  rights: Rights,
  unusable: (message: string) => SettingsError,
): Caller {
  if (rights.read_only && rights.allow) {
    throw unusable('read_only is allow: [read:*]; set one of them')
  }
  const { operator = false, scopes, profile, credentials, passthrough, strangers, tools } = rights
  return {
    name,
    operator,
    scopes,
    profile,
    credentials,
    passthrough,
    approveBy: rights.approve_by,
    strangers,
    limits: limitsOf(rights),
    permission: permissionOf(rights),
    tools: tools && parseToolSelection(tools),
  }
}

function limitsOf({ requests_per_minute, concurrency }: Rights): Caller['limits'] {
  if (requests_per_minute === undefined && concurrency === undefined) return undefined
  return {
    requestsPerMinute: requests_per_minute ?? null,
    concurrency: concurrency ?? null,
  }
}

function permissionOf({ allow, deny, approve, read_only }: Rights): Caller['permission'] {
  const allowed = read_only ? ['read:*'] : allow
  if ([allowed, deny, approve].every(patterns => patterns === undefined)) return undefined
  return {
    allow: allowed === undefined ? null : parsed(allowed),
    deny: parsed(deny),
    approve: parsed(approve),
  }
}

function parsed(patterns: readonly string[] = []) {
  return patterns.map(parseCardPattern)
}
