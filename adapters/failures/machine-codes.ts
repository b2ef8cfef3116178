import type { ErrorCode } from '../../src/model/errors.ts'
import { type Verdict, verdict } from './verdict.ts'

/**
 * Machine-readable codes that services use, in any spelling: `RESOURCE_EXHAUSTED`, `rateLimitExceeded`,
 * `ThrottlingException` and `too-many-requests` mean the same. Covers Google's canonical codes, the
 * vocabularies of AWS, Azure, Kubernetes and OAuth, and the common GraphQL servers.
 */
const VOCABULARY: Partial<Record<ErrorCode, string>> = {
  RATE_LIMIT: `
    rate_limit rate_limited rate_limit_exceeded rate_limit_reached rate_exceeded ratelimited_exceeded
    user_rate_limit_exceeded request_rate_too_high too_many_requests too_many_calls over_limit over_rate_limit
    throttled throttling throttle request_throttled throttling_request requests_throttled
    request_limit_exceeded limit_exceeded bandwidth_limit_exceeded provisioned_throughput_exceeded
    quota_exceeded daily_limit_exceeded daily_quota_exceeded monthly_limit_exceeded insufficient_quota
    request_rate_limited secondary_rate_limit rate_limiting resource_exhausted slow_down enhance_your_calm concurrency_limit_exceeded usage_limit_exceeded`,
  AUTH: `
    unauthenticated unauthorized unauthorised auth auth_required authentication authentication_failed
    authentication_required authentication_failure not_authenticated not_authed not_logged_in login_required
    session_expired invalid_session invalid_token token_expired expired_token token_revoked token_invalid
    token_inactive access_token_expired invalid_access_token invalid_authentication_token
    expired_authentication_token invalid_auth invalid_auth_token invalid_credentials bad_credentials
    credentials_expired no_credentials missing_token missing_authentication_token missing_authentication
    invalid_api_key api_key_invalid api_key_expired missing_api_key bad_api_key invalid_client
    unrecognized_client invalid_client_token_id invalid_access_key_id invalid_signature
    signature_does_not_match incomplete_signature signature_expired request_expired request_time_too_skewed
    invalid_grant invalid_jwt jwt_expired missing_jwt token_not_found
    insufficient_scope insufficient_scopes insufficient_granular_scope missing_scope missing_scopes scope_insufficient
    access_token_scope_insufficient sso_required saml_required saml_failure mfa_required
    two_factor_required reauth_required`,
  FORBIDDEN: `
    forbidden access_denied access_forbidden access_not_allowed permission_denied permission
    permission_error insufficient_permission insufficient_permissions insufficient_privileges
    insufficient_access not_authorized not_permitted not_allowed unauthorized_operation
    authorization authorization_failed authorization_error access_not_configured service_disabled
    account_suspended account_disabled account_inactive account_problem restricted
    shop_inactive unauthorized_field_or_type restricted_action policy_violation missing_permission missing_permissions missing_access`,
  NOT_FOUND: `
    not_found no_such_key does_not_exist doesnt_exist object_not_found resource_missing unknown_resource
    gone deleted`,
  CONFLICT: `
    conflict already_exists duplicate duplicate_key duplicate_value duplicate_entry taken name_taken
    name_already_exists entity_already_exists resource_exists object_already_exists unique_violation
    constraint_violation edit_conflict failed_precondition precondition_failed condition_not_met
    conditional_check_failed optimistic_lock stale stale_object stale_data stale_state version_mismatch
    version_conflict update_conflict invalid_state resource_in_use in_use not_mergeable merge_conflict`,
  VALIDATION: `
    bad_request invalid invalid_argument invalid_arguments invalid_request invalid_input invalid_value
    invalid_parameter invalid_parameter_value invalid_param invalid_parameters invalid_field invalid_body
    invalid_json malformed_request malformed_json parse bad_user_input user_input validation
    validation_failed validation_failure parameter_missing parameter_invalid missing_parameter
    missing_required_parameter required missing missing_field required_field blank out_of_range
    unprocessable unprocessable_entity unprocessable_content invalid_content card idempotency`,
  TOO_LARGE: `
    too_large request_too_large payload_too_large entity_too_large request_entity_too_large
    content_too_large file_too_large body_too_large response_too_large message_too_large
    response_size_too_large max_message_length_exceeded`,
  SERVER: `
    internal internal_server internal_service internal_failure server service_unavailable unavailable
    backend downstream_service subrequest_http overloaded system_error service_failure upstream_error temporarily_unavailable
    unexpected unexpected_error api`,
  TIMEOUT: `
    timeout timed_out request_timeout request_timed_out gateway_timeout server_timeout query_timeout
    execution_timeout deadline_exceeded operation_timed_out endpoint_request_timed_out`,
  NOT_READY: `not_ready pending still_processing in_progress not_yet_available`,
  ADAPTER_UNSUPPORTED: `
    not_implemented unimplemented unsupported unsupported_operation not_supported method_not_allowed
    unknown_method unknown_operation deprecated operation_not_supported feature_not_available`,
}

/** Codes whose verdict differs from the usual one of their error code. */
const SPECIAL: Readonly<Record<string, Verdict>> = {
  // A lost race: the same call may win next time.
  aborted: verdict('CONFLICT', { retryable: true }),
  operationaborted: verdict('CONFLICT', { retryable: true }),
  concurrentmodification: verdict('CONFLICT', { retryable: true }),
  locked: verdict('CONFLICT', { retryable: true }),
  resourcelocked: verdict('CONFLICT', { retryable: true }),
}

const MEANINGS: ReadonlyMap<string, Verdict> = new Map([
  ...Object.entries(VOCABULARY).flatMap(([code, words]) =>
    words
      .trim()
      .split(/\s+/)
      .map(word => [normalize(word), verdict(code as ErrorCode)] as const),
  ),
  ...Object.entries(SPECIAL),
])

/** The meaning of a service's own code; null if it is not a common one. */
export function meaningOf(code: string): Verdict | null {
  const word = normalize(code)
  const known = MEANINGS.get(word)
  if (known) return known
  // Services add the name of the object: channel_not_found, NoSuchBucket, EntityAlreadyExists.
  if (word.endsWith('notfound') || word.startsWith('nosuch')) return verdict('NOT_FOUND')
  if (word.endsWith('alreadyexists')) return verdict('CONFLICT')
  return null
}

/** The meaning of the first code that has one. */
export function meaningOfFirst(codes: readonly string[]): Verdict | null {
  for (const code of codes) {
    const meaning = meaningOf(code)
    if (meaning) return meaning
  }
  return null
}

/** Drops namespace, case, separators and suffix: `com.amazonaws#ThrottlingException` → `throttling`. */
export function normalize(code: string): string {
  const name = code.split(/[#:/]/).findLast(part => part !== '') ?? ''
  const word = name.split('.').at(-1) ?? ''
  const letters = word.toLowerCase().replace(/[^a-z0-9]/g, '')
  return letters.replace(/(?<=[a-z0-9]{3})(?:exception|error|fault)$/, '')
}
