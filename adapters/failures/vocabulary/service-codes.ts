import { verdict } from '../verdict.ts'
import type { WordList } from './meaning.ts'

const auth = verdict('AUTH')
const forbidden = verdict('FORBIDDEN')
const validation = verdict('VALIDATION')
const limited = verdict('RATE_LIMIT')
const server = verdict('SERVER')
const timeout = verdict('TIMEOUT')
const unsupported = verdict('ADAPTER_UNSUPPORTED')

/** https://github.com/googleapis/googleapis/blob/master/google/api/error_reason.proto: `details[].reason` of Google's APIs. */
export const GOOGLE: WordList = [
  [
    auth,
    'exact',
    `API_KEY_INVALID ACCESS_TOKEN_EXPIRED ACCESS_TOKEN_SCOPE_INSUFFICIENT ACCOUNT_STATE_INVALID
    ACCESS_TOKEN_TYPE_UNSUPPORTED CREDENTIALS_MISSING SESSION_COOKIE_INVALID`,
  ],
  [
    forbidden,
    'exact',
    `SERVICE_DISABLED BILLING_DISABLED API_KEY_SERVICE_BLOCKED API_KEY_HTTP_REFERRER_BLOCKED API_KEY_IP_ADDRESS_BLOCKED
    API_KEY_ANDROID_APP_BLOCKED API_KEY_IOS_APP_BLOCKED RESOURCE_QUOTA_EXCEEDED USER_PROJECT_DENIED CONSUMER_SUSPENDED
    CONSUMER_INVALID SECURITY_POLICY_VIOLATED USER_BLOCKED_BY_ADMIN RESOURCE_USAGE_RESTRICTION_VIOLATED
    ORG_RESTRICTION_VIOLATION LOCATION_TAX_POLICY_VIOLATED LOCATION_POLICY_VIOLATED SERVICE_NOT_VISIBLE GCP_SUSPENDED`,
  ],
  [limited, 'exact', 'RATE_LIMIT_EXCEEDED'],
  [
    validation,
    'exact',
    'RESOURCE_PROJECT_INVALID SYSTEM_PARAMETER_UNSUPPORTED ORG_RESTRICTION_HEADER_INVALID',
  ],
]

/**
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html, in full in botocore's retries/standard.py; and
 * the errors that all actions share, https://docs.aws.amazon.com/STS/latest/APIReference/CommonErrors.html.
 */
export const AWS: WordList = [
  [
    limited,
    'exact',
    `Throttling ThrottlingException ThrottledException RequestThrottledException TooManyRequestsException
    ProvisionedThroughputExceededException RequestLimitExceeded BandwidthLimitExceeded LimitExceededException
    RequestThrottled SlowDown EC2ThrottledException PriorRequestNotComplete`,
  ],
  [verdict('CONFLICT', { retryable: true }), 'exact', 'TransactionInProgressException'],
  // S3 waited in vain for the rest of the request.
  [timeout, 'exact', 'RequestTimeout RequestTimeoutException'],
  [server, 'exact', 'ServiceUnavailable InternalFailure'],
  [
    auth,
    'exact',
    `IncompleteSignature InvalidClientTokenId MissingAuthenticationToken RequestExpired UnrecognizedClientException
    ExpiredToken ExpiredTokenException SignatureDoesNotMatch InvalidSignatureException InvalidAccessKeyId AuthFailure
    RequestTimeTooSkewed`,
  ],
  [
    forbidden,
    'exact',
    'AccessDenied AccessDeniedException NotAuthorized OptInRequired UnauthorizedOperation',
  ],
  [unsupported, 'exact', 'InvalidAction UnknownOperationException'],
  [validation, 'exact', 'ValidationError MalformedQueryString MalformedHttpRequestException'],
]

/**
 * https://pkg.go.dev/k8s.io/apimachinery/pkg/apis/meta/v1#StatusReason. General on purpose: "a reason clarifies an HTTP
 * status code but does not override it".
 */
export const KUBERNETES: WordList = [
  [auth, 'general', 'Unauthorized'],
  [forbidden, 'general', 'Forbidden'],
  [verdict('NOT_FOUND'), 'general', 'NotFound Gone'],
  // Expired: the resourceVersion or the continue token of a list is too old.
  [verdict('CONFLICT'), 'general', 'AlreadyExists Conflict Expired'],
  [validation, 'general', 'Invalid BadRequest NotAcceptable UnsupportedMediaType'],
  [timeout, 'general', 'ServerTimeout Timeout'],
  [limited, 'general', 'TooManyRequests'],
  [unsupported, 'general', 'MethodNotAllowed'],
  [verdict('TOO_LARGE'), 'general', 'RequestEntityTooLarge'],
  [server, 'general', 'ServiceUnavailable StoreReadError'],
  [server, 'frame', 'InternalError'],
]

/**
 * OAuth 2: RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 8628 §3.5 (device flow), RFC 8707 §2, RFC 9449 (DPoP), RFC 9470;
 * OpenID Connect Core §3.1.2.6, https://openid.net/specs/openid-connect-core-1_0.html#AuthError.
 */
export const OAUTH: WordList = [
  [
    auth,
    'exact',
    `invalid_client invalid_grant unauthorized_client invalid_scope invalid_token insufficient_scope expired_token
    interaction_required login_required account_selection_required consent_required invalid_dpop_proof use_dpop_nonce
    insufficient_user_authentication`,
  ],
  [forbidden, 'exact', 'access_denied'],
  [
    validation,
    'exact',
    `unsupported_response_type unsupported_grant_type invalid_target invalid_request_uri invalid_request_object
    request_not_supported request_uri_not_supported registration_not_supported`,
  ],
  [validation, 'general', 'invalid_request'],
  [server, 'exact', 'temporarily_unavailable'],
  [server, 'frame', 'server_error'],
  // The person has not answered yet; the client polls on.
  [
    verdict('NOT_READY', { waitS: 5, writeOutcome: 'not_applied' }),
    'exact',
    'authorization_pending',
  ],
  [verdict('RATE_LIMIT', { waitS: 5 }), 'exact', 'slow_down'],
]

/** https://distribution.github.io/distribution/spec/api/#errors-2: container registries. */
export const REGISTRIES: WordList = [
  [
    verdict('NOT_FOUND'),
    'exact',
    'BLOB_UNKNOWN MANIFEST_UNKNOWN MANIFEST_BLOB_UNKNOWN NAME_UNKNOWN BLOB_UPLOAD_UNKNOWN',
  ],
  [
    validation,
    'exact',
    'DIGEST_INVALID MANIFEST_INVALID MANIFEST_UNVERIFIED NAME_INVALID SIZE_INVALID TAG_INVALID BLOB_UPLOAD_INVALID',
  ],
  [forbidden, 'general', 'DENIED'],
  [unsupported, 'general', 'UNSUPPORTED'],
]

/** SOAP 1.1 §4.4.1 and 1.2 §5.4.6: https://www.w3.org/TR/soap12-part1/#faultcodes */
export const SOAP: WordList = [
  [validation, 'general', 'Client Sender DataEncodingUnknown'],
  [server, 'frame', 'Server Receiver'],
  [unsupported, 'exact', 'MustUnderstand'],
]

/** https://github.com/npm/cli/blob/latest/lib/utils/error-message.js: codes that npm adds to those of the system. */
export const NPM: WordList = [
  [auth, 'exact', 'ENEEDAUTH EOTP'],
  [verdict('NOT_FOUND'), 'exact', 'ETARGET'],
  [unsupported, 'exact', 'EUSAGE EBADENGINE EBADPLATFORM EUNSUPPORTEDPROTOCOL'],
  [verdict('CONFLICT'), 'exact', 'EPUBLISHCONFLICT'],
  [validation, 'exact', 'EJSONPARSE ERESOLVE EINVALIDPACKAGENAME EINVALIDTAGNAME EPRIVATE'],
]

/** https://docs.postgrest.org/en/stable/references/errors.html#postgrest-error-codes, for statuses that say less. */
export const POSTGREST: WordList = [
  [verdict('NOT_FOUND'), 'exact', 'PGRST116'],
  [auth, 'exact', 'PGRST300 PGRST301 PGRST302 PGRST303'],
  [server, 'exact', 'PGRST000 PGRST001 PGRST002'],
  [timeout, 'exact', 'PGRST003'],
]

/** https://www.mediawiki.org/wiki/API:Errors_and_warnings#Standard_error_messages */
export const MEDIAWIKI: WordList = [
  [server, 'exact', 'maxlag readonly'],
  [limited, 'exact', 'ratelimited actionthrottledtext'],
  [
    forbidden,
    'exact',
    'protectedpage protectedtitle permissiondenied cantcreate customcssjsprotected',
  ],
  [auth, 'exact', 'badtoken notloggedin assertuserfailed'],
  [verdict('CONFLICT'), 'exact', 'editconflict articleexists pagedeleted'],
]

/** Codes that many services share, and whose words mislead. */
export const COMMON: WordList = [
  // RFC 9457 §3.1.1's own example.
  [forbidden, 'exact', 'out_of_credit'],
  [
    forbidden,
    'exact',
    'access_not_configured account_problem shop_inactive unauthorized_field_or_type restricted_action',
  ],
  [auth, 'exact', 'token_not_found expired_authentication_token invalid_authentication_token'],
  [validation, 'exact', 'card idempotency'],
  [limited, 'exact', 'insufficient_quota request_rate_too_high'],
  [server, 'exact', 'downstream_service subrequest_http'],
  [verdict('TOO_LARGE'), 'exact', 'max_message_length_exceeded'],
  [verdict('NOT_READY'), 'exact', 'not_yet_available in_progress'],
]
