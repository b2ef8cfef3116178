/**
 * What tools say when they fail, and what it means. Wordings beyond those of the failure corpus, so
 * that the rules are held to the kind and not to the case.
 */
export interface Wording {
  readonly tool: string
  readonly exit: number
  readonly stderr: string
  readonly stdout?: string
  readonly effect?: 'read' | 'write'
  /** Code, then the answers to: later? elsewhere? applied? An ellipsis leaves the last one open. */
  readonly means: string
  readonly partial?: boolean
}

const gh = (stderr: string, means: string, more: Partial<Wording> = {}): Wording => ({
  tool: 'gh',
  exit: 1,
  stderr,
  means,
  ...more,
})
const said =
  (tool: string, exit: number) =>
  (stderr: string, means: string, more: Partial<Wording> = {}): Wording => ({
    tool,
    exit,
    stderr,
    means,
    ...more,
  })
const kubectl = said('kubectl', 1)
const aws = said('aws', 254)
const az = said('az', 1)
const tool = said('some-tool', 1)

const REFUSED = 'no no not_applied'
const ELSEWHERE = 'no yes not_applied'

export const GH: readonly Wording[] = [
  gh('gh: Bad credentials (HTTP 401)', `AUTH ${REFUSED}`),
  gh('HTTP 401: Requires authentication (https://api.github.com/graphql)', `AUTH ${REFUSED}`),
  gh(
    'error validating token: HTTP 401: Bad credentials (https://api.github.com/)',
    `AUTH ${REFUSED}`,
  ),
  gh(
    'GraphQL: Resource not accessible by personal access token (createIssue)',
    `FORBIDDEN ${REFUSED}`,
  ),
  gh(
    'HTTP 403: Must have admin rights to Repository. (https://api.github.com/repos/a/b)',
    `FORBIDDEN ${REFUSED}`,
  ),
  gh(
    'GraphQL: octo does not have the correct permissions to execute `MergePullRequest` (mergePullRequest)',
    `FORBIDDEN ${REFUSED}`,
  ),
  gh(
    'gh: Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization. (HTTP 403)',
    `AUTH ${REFUSED}`,
  ),
  gh(
    "GraphQL: Your token has not been granted the required scopes to execute this query. The 'login' field requires one of the following scopes: ['read:org'], but your token has only been granted the: ['repo'] scopes.",
    `AUTH ${REFUSED}`,
  ),
  gh(
    'error: your authentication token is missing required scopes [project]\nTo request it, run:  gh auth refresh -s project',
    `AUTH ${REFUSED}`,
  ),
  gh(
    'gh: Not Found (HTTP 404)\ngh: This API operation needs the "read:org" scope. To request it, run:  gh auth refresh -h github.com -s read:org',
    `AUTH ${REFUSED}`,
  ),
  gh(
    'GraphQL: Could not resolve to a PullRequest with the number of 502. (repository.pullRequest)',
    `NOT_FOUND ${REFUSED}`,
  ),
  gh(
    'GraphQL: Could not resolve to an issue or pull request with the number of 429. (repository.issue)',
    `NOT_FOUND ${REFUSED}`,
  ),
  gh('no pull requests found for branch "network-timeout"', `NOT_FOUND ${REFUSED}`),
  gh('release not found', `NOT_FOUND ${REFUSED}`),
  gh('could not find any workflows named timeout-lib', `NOT_FOUND ${REFUSED}`),
  gh("could not add label: 'rate limit exceeded' not found", `NOT_FOUND ${REFUSED}`),
  gh(
    'HTTP 404: Not Found (https://api.github.com/repos/acme/rate-limit/issues/500)',
    `NOT_FOUND ${REFUSED}`,
  ),
  gh(
    'failed to get run: HTTP 404: Not Found (https://api.github.com/repos/acme/w/actions/runs/502?exclude_pull_requests=true)',
    `NOT_FOUND ${REFUSED}`,
  ),
  gh(
    'HTTP 422: Validation Failed (https://api.github.com/repos/acme/w/labels)\nLabel.name already_exists',
    `CONFLICT ${REFUSED}`,
  ),
  gh('gh: Validation Failed (HTTP 422)', `CONFLICT ${REFUSED}`, {
    stdout:
      '{"message":"Validation Failed","errors":[{"resource":"Label","code":"already_exists","field":"name"}],"status":"422"}',
  }),
  gh('gh: Validation Failed (HTTP 422)', `VALIDATION ${REFUSED}`, {
    stdout:
      '{"message":"Validation Failed","errors":[{"resource":"Issue","code":"missing_field","field":"title"}]}',
  }),
  gh(
    'HTTP 422: Validation Failed (https://api.github.com/repos/acme/w/pulls)\nA pull request already exists for acme:topic.',
    `CONFLICT ${REFUSED}`,
  ),
  gh('gh: Reference already exists (HTTP 422)', `CONFLICT ${REFUSED}`),
  gh('GraphQL: Pull Request is not mergeable (mergePullRequest)', `CONFLICT ${REFUSED}`),
  gh('gh: Pull Request is not mergeable (HTTP 405)', `CONFLICT ${REFUSED}`),
  gh('GraphQL: Pull Request is still a draft (mergePullRequest)', `CONFLICT ${REFUSED}`),
  gh(
    'GraphQL: At least 1 approving review is required by reviewers with write access. (mergePullRequest)',
    `CONFLICT ${REFUSED}`,
  ),
  gh(
    'GraphQL: Base branch was modified. Review and try the merge again. (mergePullRequest)',
    'CONFLICT yes no not_applied',
  ),
  gh(
    'X Pull request #500 (request timed out) is not mergeable: the base branch policy prohibits the merge.',
    `CONFLICT ${REFUSED}`,
  ),
  gh('gh: Git Repository is empty. (HTTP 409)', `CONFLICT ${REFUSED}`),
  gh('GraphQL: No commits between main and topic (createPullRequest)', `VALIDATION ${REFUSED}`),
  gh(
    'invalid argument "abc" for "-L, --limit" flag: strconv.ParseInt: parsing "abc": invalid syntax\n\nUsage:  gh issue list [flags]\n\nFlags:\n  -A, --author string   Filter by author',
    `VALIDATION ${REFUSED}`,
  ),
  gh('invalid issue format: "500"', `VALIDATION ${REFUSED}`),
  gh('accepts 1 arg(s), received 2', `VALIDATION ${REFUSED}`),
  gh('required flag(s) "title" not set', `VALIDATION ${REFUSED}`),
  gh('--repo required when not running interactively', `VALIDATION ${REFUSED}`),
  gh('specify only one of `--body` or `--body-file`', `VALIDATION ${REFUSED}`),
  gh("unknown shorthand flag: 'x' in -x", `ADAPTER_UNSUPPORTED ${ELSEWHERE}`),
  gh(
    'unknown command "network" for "gh"\n\nDid you mean this?\n\tauth\n',
    `ADAPTER_UNSUPPORTED ${ELSEWHERE}`,
  ),
  gh(
    "GraphQL: Field 'isInMergeQueue' doesn't exist on type 'PullRequest' (query.repository.pullRequest.isInMergeQueue)",
    `ADAPTER_UNSUPPORTED ${ELSEWHERE}`,
  ),
  gh(
    'none of the git remotes configured for this repository point to a known GitHub host. To tell gh about a new GitHub host, please use `gh auth login`',
    `ADAPTER_UNSUPPORTED ${ELSEWHERE}`,
  ),
  gh('could not determine base repo: no git remotes found', `ADAPTER_UNSUPPORTED ${ELSEWHERE}`),
  gh(
    'failed to run git: exec: "git": executable file not found in $PATH',
    `ADAPTER_UNSUPPORTED ${ELSEWHERE}`,
  ),
  gh('open /root/.config/gh/config.yml: permission denied', `ADAPTER_UNSUPPORTED ${ELSEWHERE}`),
  gh('GraphQL: API rate limit already exceeded for user ID 1.', 'RATE_LIMIT yes yes not_applied'),
  gh(
    'gh: You have triggered an abuse detection mechanism. Please wait a few minutes before you try again. (HTTP 403)',
    'RATE_LIMIT yes no not_applied',
  ),
  gh('GraphQL: was submitted too quickly (createIssue)', 'RATE_LIMIT yes no not_applied'),
  gh(
    'HTTP 429: too many requests (https://api.github.com/graphql)',
    'RATE_LIMIT yes no not_applied',
  ),
  gh(
    'Post "https://api.github.com/graphql": read tcp 10.0.0.2:1->140.82.1.1:443: read: connection reset by peer',
    'NETWORK yes yes unknown',
  ),
  gh(
    'Post "https://api.github.com/graphql": http2: server sent GOAWAY and closed the connection; LastStreamID=1, ErrCode=NO_ERROR',
    'NETWORK yes yes unknown',
  ),
  gh('Post "https://api.github.com/graphql": write: broken pipe', 'NETWORK yes yes unknown'),
  gh(
    'Post "https://api.github.com/graphql": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    'TIMEOUT yes yes unknown',
  ),
  gh(
    'Get "https://api.github.com/user": dial tcp: lookup api.github.com on 127.0.0.53:53: no such host',
    'NETWORK yes no not_applied',
  ),
  gh(
    'Get "https://api.github.com/user": dial tcp: lookup api.github.com: Temporary failure in name resolution',
    'NETWORK yes no not_applied',
  ),
  gh(
    'Get "https://api.github.com/user": dial tcp 140.82.112.6:443: i/o timeout',
    'TIMEOUT yes no not_applied',
  ),
  gh(
    'Get "https://api.github.com/user": net/http: TLS handshake timeout',
    'TIMEOUT yes no not_applied',
  ),
  gh(
    'Get "https://api.github.com/user": dial tcp 140.82.112.6:443: connect: network is unreachable',
    'NETWORK yes no not_applied',
  ),
  gh(
    'Get "https://api.github.com/user": dial unix /run/gh.sock: connect: no such file or directory',
    'NETWORK yes no not_applied',
  ),
  gh(
    'Get "https://api.github.com/user": proxyconnect tcp: dial tcp 127.0.0.1:3128: connect: connection refused',
    'NETWORK yes no not_applied',
  ),
  gh(
    'Get "https://ghe.test/api/v3/user": tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
    'NETWORK no yes not_applied',
  ),
  gh(
    'Get "https://ghe.test/api/v3/user": x509: certificate is valid for a.test, not ghe.test',
    'NETWORK no yes not_applied',
  ),
  gh(
    'Get "https://ghe.test/api/v3/user": tls: first record does not look like a TLS handshake',
    'NETWORK no no not_applied',
  ),
  gh("invalid character '<' looking for beginning of value", 'OUTPUT_INVALID no yes unknown'),
  gh('json: cannot unmarshal array into Go value of type struct', 'OUTPUT_INVALID no yes unknown'),
  gh('HTTP 504: 504 Gateway Timeout (https://api.github.com/graphql)', 'TIMEOUT yes yes unknown'),
  gh('HTTP 503: Service Unavailable (https://api.github.com/graphql)', 'SERVER yes yes unknown'),
  gh('gh: HTTP 500', 'SERVER yes yes unknown'),
  gh('non-200 OK status code: 502 Bad Gateway body: "<html>"', 'SERVER yes yes unknown'),
  gh(
    'GraphQL: Something went wrong while executing your query. Please include `A:B` when reporting this issue.',
    'SERVER yes yes unknown',
  ),
  gh(
    'pull request create failed: GraphQL: A pull request already exists for acme:topic. (createPullRequest)',
    `CONFLICT ${REFUSED}`,
  ),
  gh(
    'pull request update failed: HTTP 502: 502 Bad Gateway (https://api.github.com/graphql)',
    'SERVER no no applied',
    { stdout: 'https://github.com/acme/w/pull/7\n', effect: 'write', partial: true },
  ),
  gh(
    'panic: runtime error: invalid memory address or nil pointer dereference\n\ngoroutine 1 [running]:\nmain.main()',
    'UNKNOWN no yes unknown',
    { exit: 2 },
  ),
  gh("gh: Could not resolve to a Repository with the name 'acme/none'.", `NOT_FOUND ${REFUSED}`, {
    stdout:
      '{"data":{"repository":null},"errors":[{"type":"NOT_FOUND","path":["repository"],"message":"Could not resolve to a Repository with the name \'acme/none\'."}]}',
  }),
  gh('gh: Resource not accessible by integration', `FORBIDDEN ${REFUSED}`, {
    stdout:
      '{"data":null,"errors":[{"type":"FORBIDDEN","message":"Resource not accessible by integration"}]}',
  }),
  gh(
    'To use GitHub CLI in a GitHub Actions workflow, set the GH_TOKEN environment variable.',
    `AUTH ${ELSEWHERE}`,
    { exit: 4 },
  ),
  gh("the 'acme/widgets' repository has disabled pull requests", `NOT_FOUND ${REFUSED}`),
  gh('repository acme/w was archived so is read-only', `FORBIDDEN ${REFUSED}`),
  gh('GraphQL: Repository was archived so is read-only. (createIssue)', `FORBIDDEN ${REFUSED}`),
  gh('run 502 cannot be rerun; its workflow file may be broken', 'UNKNOWN no yes unknown'),
  gh('gh: Requires md5 (HTTP 413)', 'TOO_LARGE no no not_applied'),
  gh(
    'could not find pull request diff: HTTP 406: Sorry, the diff exceeded the maximum number of files (300). (https://api.github.com/repos/a/b/pulls/7)\nPullRequest.diff too_large',
    `TOO_LARGE ${ELSEWHERE}`,
  ),
  gh(
    'HTTP 451: Repository access blocked (https://api.github.com/repos/a/b)',
    `FORBIDDEN ${REFUSED}`,
  ),
]

export const KUBERNETES: readonly Wording[] = [
  kubectl(
    'Error from server (Forbidden): pods is forbidden: User "timeout" cannot list resource "pods" in API group "" in the namespace "default"',
    `FORBIDDEN ${REFUSED}`,
  ),
  kubectl('error: You must be logged in to the server (Unauthorized)', `AUTH ${REFUSED}`),
  kubectl('Error from server (Unauthorized): Unauthorized', `AUTH ${REFUSED}`),
  kubectl(
    'The Deployment "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    `VALIDATION ${REFUSED}`,
  ),
  kubectl(
    'Error from server (BadRequest): error when creating "x.yaml": Deployment in version "v1" cannot be handled as a Deployment',
    `VALIDATION ${REFUSED}`,
  ),
  kubectl('Error from server (Invalid): Pod "web" is invalid', `VALIDATION ${REFUSED}`),
  kubectl(
    'Error from server (TooManyRequests): Too many requests, please try again later.',
    'RATE_LIMIT yes no not_applied',
  ),
  kubectl(
    'Error from server (InternalError): an error on the server ("timeout") has prevented the request from succeeding',
    'SERVER yes no unknown',
  ),
  kubectl(
    'Error from server (Timeout): Timeout: request did not complete within requested timeout - context deadline exceeded',
    'TIMEOUT yes no unknown',
  ),
  kubectl(
    'Error from server (ServerTimeout): The POST operation against Pod could not be completed at this time, please try again.',
    'TIMEOUT yes no unknown',
  ),
  kubectl(
    'Unable to connect to the server: dial tcp 10.0.0.1:6443: connect: connection refused',
    'NETWORK yes no not_applied',
  ),
  kubectl(
    'The connection to the server localhost:8080 was refused - did you specify the right host or port?',
    'NETWORK yes no not_applied',
  ),
  kubectl(
    'Unable to connect to the server: dial tcp: lookup k8s.test: no such host',
    'NETWORK yes no not_applied',
  ),
  kubectl(
    'Unable to connect to the server: net/http: TLS handshake timeout',
    'TIMEOUT yes no not_applied',
  ),
  kubectl('Unable to connect to the server: EOF', 'NETWORK yes no unknown'),
  kubectl(
    "error: unknown flag: --outptu\nSee 'kubectl get --help' for usage.",
    `ADAPTER_UNSUPPORTED ${ELSEWHERE}`,
  ),
  kubectl('error: the server doesn\'t have a resource type "timeouts"', `NOT_FOUND ${REFUSED}`),
  kubectl('error: no context exists with the name: "prod"', `ADAPTER_UNSUPPORTED ${ELSEWHERE}`),
  kubectl(
    'Error from server (NotFound): error when creating "a.yaml": namespaces "x" not found',
    'NOT_FOUND no no applied',
    { stdout: 'configmap/a created\n', effect: 'write', partial: true },
  ),
  kubectl('Error from server (Gone): resource version is gone', `NOT_FOUND ${REFUSED}`),
  said('helm', 1)(
    'Error: INSTALLATION FAILED: cannot re-use a name that is still in use',
    `CONFLICT ${REFUSED}`,
  ),
  said('helm', 1)(
    'Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress',
    `CONFLICT ${REFUSED}`,
  ),
  said('helm', 1)('Error: release: not found', `NOT_FOUND ${REFUSED}`),
  said('helm', 1)(
    'Error: Kubernetes cluster unreachable: Get "https://10.0.0.1/version": dial tcp 10.0.0.1:443: connect: connection refused',
    'NETWORK yes no not_applied',
  ),
]

export const CLOUDS: readonly Wording[] = [
  aws(
    'An error occurred (ResourceNotFoundException) when calling the GetItem operation: Requested resource not found',
    `NOT_FOUND ${REFUSED}`,
  ),
  aws(
    'An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist',
    `NOT_FOUND ${REFUSED}`,
  ),
  aws(
    'An error occurred (404) when calling the HeadObject operation: Not Found',
    `NOT_FOUND ${REFUSED}`,
  ),
  aws(
    'An error occurred (403) when calling the HeadObject operation: Forbidden',
    `FORBIDDEN ${REFUSED}`,
  ),
  aws(
    'An error occurred (UnauthorizedOperation) when calling the RunInstances operation: You are not authorized to perform this operation.',
    `FORBIDDEN ${REFUSED}`,
  ),
  aws(
    'An error occurred (InvalidClientTokenId) when calling the GetCallerIdentity operation: The security token included in the request is invalid.',
    `AUTH ${REFUSED}`,
  ),
  aws(
    'An error occurred (UnrecognizedClientException) when calling the ListTables operation: The security token included in the request is invalid.',
    `AUTH ${REFUSED}`,
  ),
  aws(
    'An error occurred (SignatureDoesNotMatch) when calling the ListBuckets operation: The request signature we calculated does not match',
    `AUTH ${REFUSED}`,
  ),
  aws(
    'An error occurred (ConditionalCheckFailedException) when calling the PutItem operation: The conditional request failed',
    `CONFLICT ${REFUSED}`,
  ),
  aws(
    'An error occurred (BucketAlreadyOwnedByYou) when calling the CreateBucket operation: taken',
    `CONFLICT ${REFUSED}`,
  ),
  aws(
    'An error occurred (ValidationException) when calling the PutItem operation: One or more parameter values were invalid',
    `VALIDATION ${REFUSED}`,
  ),
  aws(
    'An error occurred (InvalidParameterCombination) when calling the RunInstances operation: no',
    `VALIDATION ${REFUSED}`,
  ),
  aws(
    'An error occurred (ProvisionedThroughputExceededException) when calling the PutItem operation (reached max retries: 9): slow',
    'RATE_LIMIT yes no not_applied',
  ),
  aws(
    'An error occurred (RequestLimitExceeded) when calling the DescribeInstances operation (reached max retries: 4): Request limit exceeded.',
    'RATE_LIMIT yes no not_applied',
  ),
  aws(
    'An error occurred (InternalServerError) when calling the PutItem operation: We encountered an internal error',
    'SERVER yes no unknown',
  ),
  aws(
    'An error occurred (ServiceUnavailable) when calling the PutObject operation (reached max retries: 4): try again',
    'SERVER yes no unknown',
  ),
  aws(
    'An error occurred (RequestTimeout) when calling the PutObject operation: Your socket connection was not read',
    'TIMEOUT yes no unknown',
  ),
  aws(
    'Could not connect to the endpoint URL: "http://127.0.0.1:1/"',
    'NETWORK yes no not_applied',
    { exit: 255 },
  ),
  aws('Connect timeout on endpoint URL: "https://dynamodb.test/"', 'TIMEOUT yes no not_applied', {
    exit: 255,
  }),
  aws(
    'SSL validation failed for https://dynamodb.test/ [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed',
    'NETWORK no yes not_applied',
    { exit: 255 },
  ),
  aws(
    'Connection was closed before we received a valid response from endpoint URL: "http://127.0.0.1:8000/".',
    'NETWORK yes no unknown',
    { exit: 255 },
  ),
  aws(
    'Parameter validation failed:\nMissing required parameter in input: "TableName"',
    `VALIDATION ${REFUSED}`,
    { exit: 252 },
  ),
  aws(
    'You must specify a region. You can also configure your region by running "aws configure".',
    `ADAPTER_UNSUPPORTED ${ELSEWHERE}`,
    { exit: 253 },
  ),
  aws('The config profile (prod) could not be found', `AUTH ${ELSEWHERE}`, { exit: 255 }),
  aws(
    'Error when retrieving token from sso: Token has expired and refresh failed',
    `AUTH ${REFUSED}`,
    { exit: 255 },
  ),
  az(
    "ERROR: (AuthorizationFailed) The client 'x' with object id 'y' does not have authorization to perform action",
    `FORBIDDEN ${REFUSED}`,
  ),
  az(
    "ERROR: (ResourceGroupNotFound) Resource group 'timeout' could not be found.\nCode: ResourceGroupNotFound",
    `NOT_FOUND ${REFUSED}`,
    { exit: 3 },
  ),
  az(
    "ERROR: (Conflict) The storage account named 'x' is already taken.\nCode: Conflict",
    `CONFLICT ${REFUSED}`,
  ),
  az(
    'ERROR: (TooManyRequests) Too many requests.\nCode: TooManyRequests',
    'RATE_LIMIT yes no not_applied',
  ),
  az("ERROR: Please run 'az login' to setup account.", `AUTH ${ELSEWHERE}`),
  az(
    "ERROR: 'foo' is misspelled or not recognized by the system.",
    `ADAPTER_UNSUPPORTED ${ELSEWHERE}`,
    { exit: 2 },
  ),
  az('ERROR: the following arguments are required: --name/-n', `VALIDATION ${REFUSED}`, {
    exit: 2,
  }),
  said('gcloud', 1)(
    'ERROR: (gcloud.projects.describe) PERMISSION_DENIED: The caller does not have permission',
    `FORBIDDEN ${REFUSED}`,
  ),
  said('gcloud', 1)(
    'ERROR: (gcloud.pubsub.topics.describe) NOT_FOUND: Resource not found (resource=t).',
    `NOT_FOUND ${REFUSED}`,
  ),
  said('gcloud', 1)(
    "ERROR: (gcloud.compute.instances.describe) Could not fetch resource:\n - The resource 'projects/p/zones/z/instances/timeout' was not found",
    `NOT_FOUND ${REFUSED}`,
  ),
  said('gcloud', 1)(
    'ERROR: (gcloud.auth) You do not currently have an active account selected.',
    `AUTH ${ELSEWHERE}`,
  ),
  said('gcloud', 1)(
    'ERROR: (gcloud.run.deploy) RESOURCE_EXHAUSTED: Quota exceeded',
    'RATE_LIMIT yes no not_applied',
  ),
  said('gcloud', 2)(
    'ERROR: (gcloud.compute) unrecognized arguments: --foo',
    `ADAPTER_UNSUPPORTED ${ELSEWHERE}`,
  ),
]

export const OTHERS: readonly Wording[] = [
  said('glab', 1)(
    'GET https://gitlab.com/api/v4/projects/acme%2Fx: 404 {message: 404 Project Not Found}',
    `NOT_FOUND ${REFUSED}`,
  ),
  said('glab', 1)('glab: 401 Unauthorized (HTTP 401)', `AUTH ${REFUSED}`),
  said('glab', 1)(
    'POST https://gitlab.com/api/v4/projects/1/merge_requests: 409 {message: [Another open merge request already exists for this source branch: !7]}',
    `CONFLICT ${REFUSED}`,
  ),
  said('glab', 1)('glab: 403 Forbidden (HTTP 403)', `FORBIDDEN ${REFUSED}`),
  said('docker', 1)('Error response from daemon: No such container: web', `NOT_FOUND ${REFUSED}`),
  said('docker', 1)(
    'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
    'NETWORK yes no not_applied',
  ),
  said('docker', 1)(
    'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock',
    `ADAPTER_UNSUPPORTED ${ELSEWHERE}`,
  ),
  said('docker', 1)(
    'Error response from daemon: Conflict. The container name "/timeout" is already in use by container "abc".',
    `CONFLICT ${REFUSED}`,
  ),
  said('docker', 1)(
    'Error response from daemon: toomanyrequests: You have reached your pull rate limit.',
    'RATE_LIMIT yes no not_applied',
  ),
  said('docker', 1)(
    'Error response from daemon: unauthorized: authentication required',
    `AUTH ${REFUSED}`,
  ),
  said('docker', 125)(
    "unknown flag: --rmm\nSee 'docker run --help'.",
    `ADAPTER_UNSUPPORTED ${ELSEWHERE}`,
  ),
  said('git', 128)(
    "fatal: could not read Username for 'https://github.com': terminal prompts disabled",
    `AUTH ${ELSEWHERE}`,
  ),
  said('git', 128)(
    "fatal: Authentication failed for 'https://github.com/a/b.git/'",
    `AUTH ${REFUSED}`,
  ),
  said('git', 128)(
    "fatal: unable to access 'https://github.com/a/b.git/': The requested URL returned error: 403",
    `FORBIDDEN ${REFUSED}`,
  ),
  said('git', 128)(
    "fatal: unable to access 'https://github.com/a/b.git/': Could not resolve host: github.com",
    'NETWORK yes no not_applied',
  ),
  said('git', 128)(
    "fatal: repository 'https://github.com/a/timeout.git/' not found",
    `NOT_FOUND ${REFUSED}`,
  ),
  said('git', 1)(
    'To https://github.com/a/b.git\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs',
    `CONFLICT ${REFUSED}`,
  ),
  said('terraform', 1)(
    '╷\n│ Error: Unsupported argument\n│ \n│   on main.tf line 3:\n╵',
    `VALIDATION ${REFUSED}`,
  ),
  said('terraform', 1)('╷\n│ Error: No valid credential sources found\n╵', `AUTH ${ELSEWHERE}`),
  said('terraform', 1)(
    'Error: creating S3 Bucket (x): operation error S3: CreateBucket, https response error StatusCode: 409, RequestID: 1, BucketAlreadyExists:',
    'CONFLICT no no applied',
    {
      stdout: 'aws_instance.web: Creation complete after 5s [id=i-1]\n',
      effect: 'write',
      partial: true,
    },
  ),
  said('npm', 1)(
    'npm error code E404\nnpm error 404 Not Found - GET https://registry.test/x',
    `NOT_FOUND ${REFUSED}`,
  ),
  said('npm', 1)(
    'npm error code ECONNREFUSED\nnpm error network request to https://registry.test/x failed',
    'NETWORK yes no not_applied',
  ),
  tool('curl: (6) Could not resolve host: api.test', 'NETWORK yes no not_applied', { exit: 6 }),
  tool('curl: (28) Operation timed out after 5000 milliseconds', 'TIMEOUT yes yes unknown', {
    exit: 28,
  }),
  tool('curl: (22) The requested URL returned error: 429', 'RATE_LIMIT yes no not_applied', {
    exit: 22,
  }),
  tool('rpc error: code = Unavailable desc = connection error', 'SERVER yes yes unknown'),
  tool('rpc error: code = PermissionDenied desc = no', `FORBIDDEN ${REFUSED}`),
  tool('rpc error: code = AlreadyExists desc = taken', `CONFLICT ${REFUSED}`),
  tool('rpc error: code = DeadlineExceeded desc = slow', 'TIMEOUT yes yes unknown'),
  tool(
    'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\nKeyError: \'rate limit exceeded\'',
    'UNKNOWN no yes unknown',
  ),
  tool(
    'Traceback (most recent call last):\n  File "x.py", line 1\nrequests.exceptions.HTTPError: 503 Server Error: Service Unavailable for url: https://api.test/',
    'SERVER yes yes unknown',
  ),
  tool('Error: connect ECONNREFUSED 127.0.0.1:1', 'NETWORK yes no not_applied'),
  tool('Error: read ECONNRESET', 'NETWORK yes yes unknown'),
  tool('env: ‘node’: No such file or directory', `ADAPTER_UNSUPPORTED ${ELSEWHERE}`, { exit: 127 }),
  tool('bash: /usr/bin/tool: Permission denied', `ADAPTER_UNSUPPORTED ${ELSEWHERE}`, { exit: 126 }),
  tool('', 'TIMEOUT yes yes unknown', { exit: 124 }),
  tool('Killed', 'UNKNOWN yes yes unknown', { exit: 137 }),
  tool('', 'UNKNOWN no yes unknown', { exit: 139 }),
  tool('', 'UNKNOWN no yes unknown'),
  tool('fatal: write error: No space left on device', 'UNKNOWN yes yes unknown'),
  tool('{"error":{"code":"NotFound","message":"no such thing"}}', `NOT_FOUND ${REFUSED}`),
  tool(
    'ERROR: {"code":"rate_limit_exceeded","message":"slow down"}',
    'RATE_LIMIT yes no not_applied',
  ),
  tool(
    "usage: tool [-h] {list}\ntool: error: argument cmd: invalid choice: 'lst' (choose from 'list')",
    `ADAPTER_UNSUPPORTED ${ELSEWHERE}`,
    { exit: 2 },
  ),
  tool(
    'WARN retrying: connection reset by peer\nError: project "x" not found',
    `NOT_FOUND ${REFUSED}`,
  ),
]
