/**
 * Classes of words in machine codes, as parts of regular expressions. `code-grammar.ts` combines them.
 */

/** Counted per time: waiting helps. */
export const RATE =
  any(`rates? requests? calls? apis? throughput bandwidth concurren(?:t|cy) qps rps tps rpm tpm frequency
  traffic connections? quer(?:y|ies) messages? operations? transactions? polling pulls?`)

/** Things that one buys or deletes: waiting brings none back. */
export const THING =
  any(`seats? storage disk space repos? repositor(?:y|ies) licen[cs]es? users? members? projects? plans?
  accounts? workspaces? collaborators? organi[sz]ations? teams? domains? instances? volumes? buckets? tables? databases?
  index(?:es)? groups? roles? snapshots? v?cpus? cores? gpus? address(?:es)? nodes? clusters? channels? webhooks? packages?
  files? items? records? rows? boards? attachments? resources? subscriptions? environments? deployments? keys?`)

export const MONEY = any(
  'credits? funds? balance budget payment billing invoice subscription premium trial plan',
)

export const CREDENTIAL =
  any(`auth oauth authn authentication authenticity credentials? tokens? jwts? bearer
  (?:api|access|secret|subscription)_keys?(?:_id)? sessions? log_?in log_?on sign_?in signature passwords? passphrase sso saml mfa 2fa
  otp two_factor cookie`)

export const PERMISSION = any(
  'permissions? privileges? access authorization roles? polic(?:y|ies) rights? entitlements?',
)

/** Pages of a list have tokens too, which are no credentials. */
export const PAGE = any('page pagination next continuation continue sync cursor resume starting')

export const OPERATION = any('operations? actions? methods? commands? procedures? verbs?')

export const INPUT =
  any(`parameters? params? arguments? args? fields? values? inputs? body json formats? types? headers?
  propert(?:y|ies) attributes? options? columns? enum cursor`)

export const STATE = any(
  'version etag revision state edit update write merge optimistic conditional concurrent dependency',
)

export const OVER = any(
  'exceeded exceeds exceed exhausted reached hit depleted limits? limited limiting quota',
)

export const ABSENT = any(
  'not_found not_exists? does_not_exist doesnt_exist nonexistent non_existent not_exist',
)

/** Before a noun: an invalid token, no permission. */
export const BAD =
  any(`invalid expired missing bad wrong incorrect unknown no revoked unrecogni[sz]ed malformed illegal
  incomplete insufficient unauthorized rejected stale inactive lacks`)

/** After a noun: the token expired, a permission is required. */
export const BROKEN =
  any(`invalid expired missing required needed revoked failed failure inactive rejected denied mismatch
  unknown incorrect malformed disabled not_valid not_found not_provided not_present not_recogni[sz]ed does_not_match
  doesnt_match not_set not_granted insufficient timeout timed_out not_yet_valid violation`)

/** One of the words; `_` stands for a space in words that belong together. */
function any(words: string): string {
  return `(?:${words.trim().split(/\s+/).join('|').replaceAll('_', ' ')})`
}
