import { verdict } from '../verdict.ts'
import type { PhraseGroup } from './phrase.ts'

/** The service refused, or the program on its behalf. */
export const SERVICE: readonly PhraseGroup[] = [
  {
    // Waiting brings none back.
    source: 'quotas of things: plans, seats, storage, repositories',
    rank: 'exact',
    verdict: verdict('FORBIDDEN'),
    phrases: [
      '(?:seat|storage|repositor(?:y|ies)|licen[cs]e|user|member|project|plan|space|account|workspace|record|index)s? (?:count |number )?(?:limit|quota)\\b',
      '(?:space|storage|mailbox)\\b(?: \\w+)? (?:is |was )?(?:exceeded|exhausted|full|used up)|exceed\\w* (?:\\w+ )?(?:storage|disk|space)\\b',
      'billing|payment (?:is )?required|upgrade your (?:plan|account|subscription)|insufficient (?:funds|credits?|balance)',
    ],
  },
  {
    source: 'RFC 6585, GitHub, GitLab, AWS, Azure, Docker Hub, GraphQL servers',
    rank: 'exact',
    verdict: verdict('RATE_LIMIT'),
    phrases: [
      '(?:rate|request|api|call|usage|pull|search) (?:rate )?limits?\\b.{0,200}\\b(?:exceeded|reached|hit)',
      '(?:exceed(?:s|ed)?|reach(?:ed)?|hit|over)\\b.{0,200}\\b(?:(?:rate|request|usage)[ -]?limits?|quota)',
      'rate[ -]?limited|(?:rate|quota) (?:was |has been |is )?exceeded|out of (?:call volume|bandwidth) quota',
      'too ?many ?(?:requests|calls)|frequency limit|doing that too (?:much|often|fast)',
      'throttl(?:ed|ing)',
      'abuse detection|submitted too quickly|reduce your request rate|slow down',
    ],
  },
  {
    // A refusal that names a time to come back.
    source: 'messages of APIs that tell how long to wait',
    rank: 'specific',
    verdict: verdict('RATE_LIMIT'),
    phrases: [
      '(?:try|retry|available) (?:again )?(?:in|after) (?:\\d[\\d.,]*|an?|one|a few) ?(?:ms|s|secs?|seconds?|m|mins?|minutes?|hours?|days?)',
    ],
  },
  {
    // This tool has no credential, but the other routes may have one.
    source: 'gh, az, aws, gcloud, git, terraform, kubectl',
    rank: 'exact',
    verdict: verdict('AUTH', { fallback: true }),
    phrases: [
      '(?:partial|unable to locate|no(?: \\w+)?|could not find(?: default)?|missing) credentials?(?: sources?)?',
      'not (?:currently )?(?:logged|signed) in|not (?:currently )?have an active account',
      '(?:please )?(?:run|use|try):? *(?:[…"\'`]+|(?:\\S{1,40} ){1,3}(?:login|configure|auth\\w*)|"…")[^.]{0,40} to (?:set ?up|log|sign|authenticate|access|re-?auth)\\w*',
      'auth login',
      'could not read (?:username|password)|terminal prompts disabled',
      'no (?:api |access )?(?:token|key)s? (?:found|provided|configured|set|available)|no authentication (?:token|method|credentials)',
      'config profile .{0,200} could not be found',
      "(?:tokens?|credentials?|credentials? file)\\b.{0,40} (?:does not|doesn't|do not) exist",
      'interactive authentication is needed',
      'no (?:secret|private) key',
    ],
  },
  {
    source: 'GitHub, GitLab, OAuth servers (RFC 6749, 6750), registries, ssh',
    rank: 'exact',
    verdict: verdict('AUTH', { sharedFate: 'credential' }),
    phrases: [
      'provide credentials|credentials were not provided|need auth',
      '(?:must|need(?:s|ed)?|requires?|have) (?:you )?(?:to )?(?:be )?(?:authenticate[d]?|log(?:ged)? ?in|sign(?:ed)? ?in)',
      '(?:bad|invalid|wrong|expired|incorrect|missing) (?:\\w+ (?:name )?(?:or )?)?(?:credentials?|tokens?|password|api key|session)',
      '(?:credentials?|tokens?|jwt|session|sso|api key)\\b.{0,40}\\b(?:expired|invalid|revoked|rejected|not valid)',
      '(?:authentication|log[io]n) (?:is )?(?:failed|required|error)|(?:could not|failed to|unable to|cannot) (?:authenticate|log ?[io]n|sign in)|requires? authentication',
      '(?<!(?:page|next|sync|continuation|resume) )(?:tokens?|jwt|api key|credentials?) (?:is |are |was |were )?(?:missing|required|not (?:provided|set|supplied|present|specified))',
      '(?<!not )unauthori[sz]ed|unauthenticated|not authenticated',
      'permission denied \\(publickey',
      // MQTT 3.1.1 §3.2.2.3: these are answers of the broker.
      'connection refused: (?:not authori[sz]ed|bad user ?name)',
      '(?:decod|verify)ing (?:the )?signature',
      '(?:required|requires|missing|additional|following|insufficient|lacks?|needs?|granted)\\b.{0,200}\\bscopes?(?![\\w/-])|scopes? (?:is |are )?(?:missing|required|insufficient)',
      'SAML enforcement|single sign-on',
    ],
  },
  {
    // The name exists, although the registry speaks of what it does not allow.
    source: 'RubyGems, npm, Nexus, NuGet: a version is published once',
    rank: 'exact',
    verdict: verdict('CONFLICT'),
    phrases: [
      '(?:re-?(?:push|publish|upload)\\w*|overwrit\\w*|republish\\w*)\\b.{0,60}not (?:allowed|permitted)',
      '(?:cannot|can not|does not allow) (?:publish over|overwrite|overwriting|updating assets|re-?publish\\w*)',
    ],
  },
  {
    source: 'libc, GitHub, GitLab, AWS, Azure, Kubernetes',
    rank: 'specific',
    verdict: verdict('FORBIDDEN'),
    phrases: [
      'not (?:authori[sz]ed|permitted|allowed|accessible)',
      'access (?:to .{0,60} )?(?:is )?(?:denied|refused)|permission denied',
      'insufficient (?:permission|privilege|access)\\w*',
      "(?:does not|doesn't|do not|don't) have .{0,40}(?:permission|access|rights|privileges?)\\w*",
      'must have .{0,40}(?:rights|access|permission)\\w*|(?:lacks|lacking|missing) .{0,40}permission',
      '(?:was|is|been) archived|is read-only',
      'forbidden|hook declined|remote rejected',
    ],
  },
  {
    // The other one ends, and then the same call may succeed.
    source: 'Salesforce, SQL databases, CloudFormation: somebody else was faster',
    rank: 'specific',
    verdict: verdict('CONFLICT', { retryable: true }),
    phrases: [
      'exclusive access|concurrent (?:update|modification)|transaction (?:has been |was )?aborted',
      'database (?:table )?is locked',
      'is in \\w+_IN_PROGRESS state',
    ],
  },
  {
    source: 'GitHub, git, Kubernetes, terraform, SQL databases',
    rank: 'specific',
    verdict: verdict('CONFLICT'),
    phrases: [
      'already (?:exists?|in progress|in use|open|been \\w+|a member|\\w+ed|\\w+ing)|duplicate (?:key|entry|value|name|record)|has already been|still in use|must be unique|constraint (?:violation|failed)|violates .{0,60}constraint',
      '(?:is )?not (?:in a )?mergeable|merge conflicts?',
      '(?:has been|was|were|been) modified|out of date|is stale|stale info|not up to date',
      'non-fast-forward|not a fast.forward|fetch first|remote contains work|creates new remote \\w+',
      '(?:CAS|compare[- ]and[- ](?:swap|set)|precondition|etag|revision)\\b(?: check)? (?:failed|mismatch|does not match)',
      'state lock|is (?:already )?locked|locked by|(?:get|acquire|obtain)\\b.{0,40}\\block',
      'another (?:\\w+ )?(?:operation|process|update|deployment)\\b.{0,200}(?:in progress|running|using it)',
      'conflicts? with|Conflict\\.',
    ],
  },
  {
    source: 'GitHub, GitLab: a result that is still computed',
    rank: 'specific',
    verdict: verdict('NOT_READY', { writeOutcome: 'not_applied' }),
    phrases: [
      'still (?:in progress|running|being|processing|queued|pending)',
      'not (?:yet )?(?:ready|available yet|finished|complete)|has not (?:completed|finished|started)',
      'will be available when|is being (?:computed|prepared|created|generated)',
    ],
  },
  {
    source: 'RFC 9110, proxies, registries',
    rank: 'specific',
    verdict: verdict('TOO_LARGE'),
    phrases: [
      'too[ _]?(?:large|big|long)',
      'exceed(?:s|ed) the maximum|exceeds? .{0,30}(?:size|length)',
    ],
  },
  {
    source: 'reason phrases of HTTP, etcd',
    rank: 'general',
    verdict: verdict('SERVER'),
    phrases: [
      'service (?:is )?(?:temporarily )?unavailable|bad gateway|overloaded',
      '(?:is |are )?(?:currently|temporarily) (?:unable to handle|unavailable|overloaded)',
      'too many (?:clients|connections)|connection slots are reserved',
      'leader changed|no leader|no (?:healthy \\w+|(?:responders?|servers?|workers?|backends?|brokers?|consumers?)(?: are)? available)',
    ],
  },
  {
    source: 'libc, GitHub, Docker, Kubernetes',
    rank: 'general',
    verdict: verdict('NOT_FOUND'),
    phrases: [
      'not ?(?:found|known)|manifest unknown',
      "(?:could not|couldn't|cannot|can't|unable to|failed to) (?:find|resolve to|locate)",
      "(?:does not|doesn't|did not|do not) exist",
      'no such \\w+|no (?!(?:changes|differences|updates)\\b)\\w+(?: \\w+)? (?:found|match\\w*|with (?:the )?(?:name|id|number|title))',
      'unknown (?:revision|repository|image|host)',
      'has disabled \\w+',
    ],
  },
  {
    source: 'many services',
    rank: 'general',
    verdict: verdict('VALIDATION'),
    phrases: [
      'invalid|malformed|validation (?:failed|error)|fail\\w* validation',
      'must be|is required',
      'not supported|unsupported',
      "(?:can ?not|can't|may not) \\w+ (?:your|their|its) own",
    ],
  },
  {
    // These only wrap another reason, or hide it.
    source: 'frames of many programs and services',
    rank: 'frame',
    verdict: verdict('SERVER'),
    phrases: [
      'something went wrong|(?:an? )?(?:unexpected|unhandled) (?:error|exception)|(?:internal|server) (?:\\w+ )?error|internal (?:service )?failure',
    ],
  },
]
