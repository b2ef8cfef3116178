import { type Static, Type } from '@sinclair/typebox'
import { compileInput } from '../../src/cards/validate.ts'
import { isObject } from '../../src/lib/is-object.ts'
import { withoutNulls } from '../../src/lib/without-nulls.ts'
import { ARGUMENT_NAMES, MEMBER_NAMES, type OptionNames } from '../../src/model/option-names.ts'
import { CallOptions } from './call-options.ts'
import { APPROVAL_OPTIONS, MEMORY_OPTIONS, OPTIONS } from './mcp-own-tools.ts'

/** Marks our members of `_meta`; other parties add theirs beside them. */
const PREFIX = 'signalbox/'

/** `tokenBudget` is the name in the dialect `budgeted`, taken in all of them. */
const OPTION_NAMES = [
  ...Object.keys({ ...OPTIONS, ...MEMORY_OPTIONS, ...APPROVAL_OPTIONS }),
  'tokenBudget',
]

type Members = Readonly<Record<string, unknown>>

/** Splits the arguments of a tool into the options and the rest. @param own members that belong to the rest, whatever they are called */
export function splitOptions(
  args: Members,
  own: readonly string[],
): { readonly input: Members; readonly options: Members } {
  const isOption = (name: string) => OPTION_NAMES.includes(name) && !own.includes(name)
  const [options, input] = [true, false].map(wanted =>
    Object.fromEntries(Object.entries(args).filter(([name]) => isOption(name) === wanted)),
  ) as [Members, Members]
  return { input, options: withoutNulls(options) as Members }
}

const parseMeta = compileInput('_meta', CallOptions)

const { approval: approvalOption, ...otherOptions } = CallOptions.properties
/** Among the arguments of a tool, `approval_id` says that an id is wanted. */
const ToolOptions = Type.Object(
  { ...otherOptions, approval_id: approvalOption },
  { additionalProperties: false },
)
const parseOptions = compileInput('the options', ToolOptions)

/**
 * Reads the options of a call. The program that speaks the protocol wins over the model: `_meta` over the arguments.
 * @throws {GatewayError} VALIDATION for an unknown or malformed option
 */
export function readOptions(meta: Members, options: Members): CallOptions {
  const own = Object.entries(isObject(meta) ? meta : {}).filter(([name]) => name.startsWith(PREFIX))
  const named = own.map(([name, value]) => [name.slice(PREFIX.length), value])
  const { approval_id: approval, ...others } = parseOptions(options) as Static<typeof ToolOptions>
  const asked = approval === undefined ? others : { ...others, approval }
  return { ...asked, ...parseMeta(Object.fromEntries(named)) } as CallOptions
}

/** The names that the client gives the options: those in `_meta` have names of their own. */
export function namesIn(options: Members): OptionNames {
  return options.approval_id === undefined ? MEMBER_NAMES : ARGUMENT_NAMES
}
