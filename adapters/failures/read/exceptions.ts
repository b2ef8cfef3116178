/**
 * Names of exceptions whose words mislead, by the machine code that means the same. A module that is missing is no
 * missing object of the service, and a file that is missing is one of this machine.
 * Sources: the exception lists of Python, Java, Node and .NET.
 */
const KNOWN: Readonly<Record<string, string | null>> = {
  ModuleNotFoundError: 'ENOSYS',
  ImportError: 'ENOSYS',
  ClassNotFoundException: 'ENOSYS',
  NoClassDefFoundError: 'ENOSYS',
  UnsatisfiedLinkError: 'ENOSYS',
  UnsupportedClassVersionError: 'ENOSYS',
  DllNotFoundException: 'ENOSYS',
  MODULE_NOT_FOUND: 'ENOSYS',
  ERR_MODULE_NOT_FOUND: 'ENOSYS',
  FileNotFoundError: 'ENOENT',
  FileNotFoundException: 'ENOENT',
  PermissionError: 'EACCES',
  ConnectionRefusedError: 'ECONNREFUSED',
  ConnectException: 'ECONNREFUSED',
  NewConnectionError: 'ECONNREFUSED',
  ConnectionResetError: 'ECONNRESET',
  ConnectionAbortedError: 'ECONNABORTED',
  BrokenPipeError: 'EPIPE',
  RemoteDisconnected: 'ECONNRESET',
  ProtocolError: 'ECONNRESET',
  NoRouteToHostException: 'EHOSTUNREACH',
  UnknownHostException: 'ENOTFOUND',
  NameResolutionError: 'ENOTFOUND',
  gaierror: 'ENOTFOUND',
  SocketTimeoutException: 'ETIMEDOUT',
  ReadTimeoutError: 'ETIMEDOUT',
  TimeoutError: 'ETIMEDOUT',
  MemoryError: 'ENOMEM',
  OutOfMemoryError: 'ENOMEM',
  // Faults of the program itself, and frames around another reason.
  ...Object.fromEntries(
    `Error Exception RuntimeError RuntimeException TypeError ValueError KeyError IndexError AttributeError NameError
    AssertionError SyntaxError ReferenceError RangeError OSError IOError IOException SystemError LookupError StopIteration
    EOFError NullPointerException IllegalArgumentException IllegalStateException HTTPError URLError RequestException
    ClientError ApiError APIError HttpError ServerError MaxRetryError ConnectionError SSLError SSLCertVerificationError
    SSLException UnicodeDecodeError UnicodeEncodeError JSONDecodeError RequestError FetchError CalledProcessError`
      .split(/\s+/)
      .map(name => [name, null] as const),
  ),
}

/** A name at the start of a line or in a chain of causes, as runtimes print it. */
const NAME =
  /(?:^|[\s(:'"<[]|\b[a-z_][\w$]{0,40}\.)(?:[a-zA-Z_][\w$]{0,60}\.){0,8}([A-Z]\w{2,60}(?:Error|Exception|Disconnected|Timeout)|gaierror|MODULE_NOT_FOUND|ERR_MODULE_NOT_FOUND)\b/g

/** The machine codes of the exceptions in the lines, from the last line to the first: the last one ended the program. */
export function exceptionsIn(lines: readonly string[]): string[] {
  return lines.toReversed().flatMap(line =>
    [...line.matchAll(NAME)].flatMap(([, name = '']) => {
      const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : name
      return known ? [known] : []
    }),
  )
}
