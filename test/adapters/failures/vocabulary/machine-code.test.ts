import { describe, expect, test } from 'vitest'
import {
  meaningOfCode,
  meaningOfCodes,
} from '../../../../adapters/failures/vocabulary/machine-code.ts'
import { RANK } from '../../../../adapters/failures/vocabulary/meaning.ts'

describe('a code that no list has is understood by its words', () => {
  test.each(
    table(`
    RATE_LIMIT          rateLimitExceeded userRateLimitExceeded THROTTLED_CLIENT com.amazonaws#ThrottlingException
    RATE_LIMIT          toomanyrequests TOO_MANY_REQUESTS https://example.com/problems/rate-limited ratelimited
    RATE_LIMIT          auth/too-many-requests API_LIMIT_REACHED request-limit-hit DailyLimitExceeded QPSLimitExceeded
    RATE_LIMIT          tooManyConcurrentRequests SUBREQUEST_RATE_TOO_HIGH quotaExceeded
    FORBIDDEN           STORAGE_QUOTA_EXCEEDED storageQuotaExceeded SeatLimitReached no-seats-left license_limit_exceeded
    FORBIDDEN           maximum_repositories_reached TooManyProjects urn:problem:out-of-credit INSUFFICIENT_FUNDS
    FORBIDDEN           payment_required card_declined SubscriptionExpired AUTH_NOT_AUTHORIZED missingPermission
    FORBIDDEN           InsufficientRoleError ACCOUNT_SUSPENDED access-denied policy/role_required
    AUTH                AUTH_NOT_AUTHENTICATED tokenExpired SESSION_INVALID api_key_revoked missing-api-key
    AUTH                LoginRequired SSO_REQUIRED invalidAccessToken MissingScopes not_logged_in credentials.rejected
    AUTH                SIGNATURE_MISMATCH wrongPassword MFA_NEEDED
    NOT_FOUND           channel_not_found NoSuchBucket InvalidInstanceID.NotFound UserDoesNotExist unknown_user
    CONFLICT            namealreadytaken
    AUTH                sessionexpired
    FORBIDDEN           seatlimitreached
    NOT_FOUND           PROJECT-NOT-FOUND errors.invoice.not_found notfound
    CONFLICT            EntityAlreadyExists email_taken name-already-in-use DuplicateKeyError versionMismatch
    CONFLICT            INVALID_STATE BucketNotEmpty already_merged unique_constraint_violated
    VALIDATION          InvalidParameterValue missing_field InvalidNextToken EXPIRED_CURSOR_TOKEN email.invalid
    VALIDATION          ERR_VALIDATION bad-request MalformedJson unknownParameter TITLE_REQUIRED
    TOO_LARGE           PayloadTooLarge attachment_too_big REQUEST_SIZE_LIMIT_EXCEEDED max_file_size_exceeded
    TIMEOUT             upstream_timeout QueryTimedOut deadline-exceeded
    SERVER              service_unavailable TemporarilyOverloaded MAINTENANCE_MODE InsufficientInstanceCapacity
    ADAPTER_UNSUPPORTED UnknownOperation methodNotAllowed FEATURE_NOT_SUPPORTED api_version_unsupported
    NOT_READY           report_not_ready still-processing
    NETWORK             ECONNRESET WSAECONNREFUSED EAI_AGAIN 08P01
  `),
  )('%s: %s', (expected, code) => {
    expect(meaningOfCode(code)?.verdict.code).toBe(expected)
  })
})

describe('a code that says nothing', () => {
  test.each(['ERR-4291', 'E1001', '40400', 'widget', 'PullRequest', ''])(
    '%j has no meaning',
    code => {
      expect(meaningOfCode(code)).toBeNull()
    },
  )

  test.each([
    'UNKNOWN',
    'INTERNAL',
    'api_error',
    'server_error',
    'InternalError',
    'REQUEST_FAILED',
    'unknownError',
  ])('%s is only a frame', code => {
    expect(meaningOfCode(code)?.rank).toBeLessThan(RANK.general)
  })
})

describe('among several codes the most specific wins, not the first', () => {
  test.each([
    ['RATE_LIMIT', ['PERMISSION_DENIED', 'rateLimitExceeded']],
    ['AUTH', ['INVALID_ARGUMENT', 'API_KEY_INVALID']],
    ['FORBIDDEN', ['RESOURCE_EXHAUSTED', 'SEAT_LIMIT_REACHED']],
    ['CONFLICT', ['INTERNAL', 'invalid', 'name_taken']],
    ['NOT_FOUND', ['UNKNOWN', 'NotFound']],
    ['FORBIDDEN', ['forbidden', 'INTERNAL']],
  ] as const)('%s from %j', (expected, codes) => {
    expect(meaningOfCodes(codes)?.verdict.code).toBe(expected)
    expect(meaningOfCodes(codes.toReversed())?.verdict.code).toBe(expected)
  })
})

test('a lost race may be won next time', () => {
  for (const code of [
    'ABORTED',
    'ConcurrentModificationException',
    'resource_locked',
    '40P01',
    'UNABLE_TO_LOCK_ROW',
  ]) {
    expect(meaningOfCode(code)?.verdict).toMatchObject({ code: 'CONFLICT', retryable: true })
  }
})

test('a code of any length takes little time', () => {
  const started = performance.now()
  for (const part of ['a', 'A', 'toomany', 'invalid_', 'Aa', 'limit exceeded ', '#', '-']) {
    meaningOfCode(part.repeat(100_000))
  }
  expect(performance.now() - started).toBeLessThan(500)
})

function table(text: string): (readonly [string, string])[] {
  return text
    .trim()
    .split('\n')
    .flatMap(line => {
      const [expected = '', ...codes] = line.trim().split(/\s+/)
      return codes.map(code => [expected, code] as const)
    })
}
