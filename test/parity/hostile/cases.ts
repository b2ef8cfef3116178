import type { Store } from '../../../sandbox/index.ts'
import type { Input, ParityCase } from '../case.ts'
import { commitUses } from './commits.ts'
import { deploymentUses } from './deployments.ts'
import { filterUses } from './filters.ts'
import { fewHostileNames, type HostileName, hostileNames, IMPOSSIBLE, type Kind } from './names.ts'
import { cacheUses, fileUses, labelUses, searchUses, workflowUses } from './others.ts'
import { branchUses, ownedUses, pullUses, tagUses } from './refs.ts'
import { ruleUses } from './rules.ts'
import { alertUses } from './security.ts'
import { assetUses, writtenLabelUses } from './writes.ts'

/** How a capability is called with a name. */
export interface HostileUse {
  readonly capability: string
  readonly kind: Kind
  /** The input member that holds the name; null if the service knows the name from elsewhere. */
  readonly member: string | null
  readonly input: (name: string, store: Store) => Input
  /** Creates what the name and its decoys stand for, each of them recognizable. */
  readonly given: (store: Store, one: HostileName) => void
  /** Members of the right thing that `data` must show. */
  readonly answers?: (one: HostileName) => ParityCase['answers']
  /** The expected state afterwards: the right thing changed, once, and no decoy. */
  readonly leaves?: (one: HostileName) => ParityCase['leaves']
  /** Routes that cannot serve a name, each with the reason. */
  readonly except?: (name: string) => ParityCase['except']
  /** Tries all names, not only the most telling. */
  readonly all?: true
}

export const hostileUses: readonly HostileUse[] = [
  ...branchUses,
  ...ownedUses,
  ...pullUses,
  ...tagUses,
  ...commitUses,
  ...fileUses,
  ...labelUses,
  ...writtenLabelUses,
  ...assetUses,
  ...filterUses,
  ...workflowUses,
  ...cacheUses,
  ...searchUses,
  ...alertUses,
  ...ruleUses,
  ...deploymentUses,
]

/** The parity cases with hostile names of one capability. */
export function hostileCases(capability: string): readonly ParityCase[] {
  return hostileUses.filter(use => use.capability === capability).flatMap(casesOf)
}

function casesOf(use: HostileUse): ParityCase[] {
  const names = use.all ? hostileNames(use.kind) : fewHostileNames(use.kind)
  const refused = use.member === null ? [] : [refusedCase(use)]
  return [...names.map(one => existingCase(use, one)), ...refused]
}

export function existingCase(use: HostileUse, one: HostileName): ParityCase {
  const answers = use.answers?.(one)
  const leaves = use.leaves?.(one)
  const except = use.except?.(one.name)
  return {
    title: `${use.member ?? 'with'} ${JSON.stringify(one.name)}`,
    input: store => use.input(one.name, store),
    given: store => use.given(store, one),
    ...(answers && { answers }),
    ...(leaves && { leaves }),
    ...(except && { except }),
  }
}

/** One name that no route accepts; test/promises/paths.test.ts tries the others. */
function refusedCase({ kind, member, input }: HostileUse): ParityCase {
  const [, , name = ''] = IMPOSSIBLE[kind]
  return {
    title: `${member} ${JSON.stringify(name)}`,
    input: store => input(name, store),
    fails: 'VALIDATION',
  }
}
