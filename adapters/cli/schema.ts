import { type Static, Type } from '@sinclair/typebox'
import { CsvSource } from '../../src/model/csv-source.ts'
import { OneOf } from '../../src/model/one-of.ts'

const FORMATS = ['json', 'ndjson', 'csv', 'text', 'lines', 'http'] as const
export type OutputFormat = (typeof FORMATS)[number]

const Closed = { additionalProperties: false } as const
const Version = Type.String({
  pattern: '^\\d+(\\.\\d+){0,2}$',
  description: 'The oldest version that works, e.g. 2.20.0.',
})

/** The `cli` section of a card. */
export const CliCardSection = Type.Object(
  {
    command: Type.Array(Type.String({ minLength: 1 }), {
      description: 'Fixed words after the program name, e.g. [api].',
    }),
    options: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Long option → expression, passed as --name=value. Null and false omit it, true passes a bare flag, an array repeats it.',
      }),
    ),
    global_options: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The same as options, for those that belong before the words of command.',
      }),
    ),
    positionals: Type.Optional(
      Type.Array(Type.String(), { description: 'Expressions for the arguments after "--".' }),
    ),
    bare_positionals: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Passes the positionals without "--", for a program that does not know it. Their schemas must exclude a leading dash.',
      }),
    ),
    stdin: Type.Optional(
      Type.Unknown({
        description:
          'Expression, or a tree of expressions. A string is written as it is, any other value as JSON without null members.',
      }),
    ),
    keep_nulls: Type.Optional(
      Type.Boolean({ default: false, description: 'Sends null members of stdin as null.' }),
    ),
    parse: Type.Optional(
      OneOf(
        FORMATS,
        'How to parse stdout. http is a status line, headers and a JSON body. Default: json.',
      ),
    ),
    csv: Type.Optional(CsvSource),
    min_version: Type.Optional(Version),
    accept: Type.Optional(
      Type.Array(Type.Integer({ minimum: 200, maximum: 599 }), {
        minItems: 1,
        uniqueItems: true,
        description: 'With parse http: more statuses that count as success, e.g. 404.',
      }),
    ),
    ok_exit_codes: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), { default: [0] }),
    ),
    accept_empty: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Empty output is an answer of a read: its body is null.',
      }),
    ),
    one_request: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'The program changes at most one thing per run, with its last request. Without it, a failed change that is not proven otherwise has the outcome unknown.',
      }),
    ),
  },
  Closed,
)
export type CliCardSection = Static<typeof CliCardSection>

/** The `cli` section of an `upstream.yaml`. */
export const CliUpstreamSection = Type.Object(
  {
    command: Type.String({
      minLength: 1,
      description: 'The program: a name on PATH, or a path, relative to this file.',
    }),
    env: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }), Type.String(), {
        description:
          '${credential} stands for the credential, ${credential.name} for that of a scheme. A variable without a value is left out.',
      }),
    ),
    min_version: Type.Optional(Version),
    cwd: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'The directory in which the program runs, relative to this file. Default: an empty one of its own.',
      }),
    ),
    version_args: Type.Optional(Type.Array(Type.String(), { default: ['--version'] })),
    max_processes: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Maximum concurrent processes. Default: one per core.',
      }),
    ),
    max_queue: Type.Optional(Type.Integer({ minimum: 0, default: 64 })),
    max_output_bytes: Type.Optional(Type.Integer({ minimum: 1, default: 10_000_000 })),
    max_parsed_bytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 4 * 1024 * 1024,
        description: 'A larger table is TOO_LARGE: nothing else runs while it is read.',
      }),
    ),
    grace_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 500,
        description: 'Time from SIGTERM to SIGKILL. The caller does not wait for it.',
      }),
    ),
  },
  Closed,
)
export type CliUpstreamSection = Static<typeof CliUpstreamSection>
