import type { Data } from '../case.ts'
import { addDependency, addScan } from '../security-world.ts'
import { hello } from '../worlds.ts'
import type { HostileUse } from './cases.ts'
import { everyName } from './world.ts'

/** GitHub separates packages and manifests by commas. */
const noCommas: HostileUse['except'] = name =>
  name.includes(',') ? { rest: 'a comma', cli: 'a comma' } : {}

const each = (data: Data, member: string) =>
  data.items.map((item: Record<string, unknown>) => item[member])

export const alertUses: readonly HostileUse[] = [
  {
    capability: 'repo.code_scanning.alerts.list',
    kind: 'label',
    member: 'tool',
    all: true,
    input: tool => ({ ...hello, tool }),
    given: (store, one) => {
      for (const tool of everyName(one)) addScan(store, { tool })
    },
    answers: ({ name }) => ({ look: data => each(data, 'tool'), see: [name] }),
  },
  {
    capability: 'repo.code_scanning.alerts.list',
    kind: 'ref',
    member: 'ref',
    all: true,
    input: ref => ({ ...hello, ref }),
    given: (store, one) => {
      for (const name of everyName(one)) addScan(store, { ref: `refs/heads/${name}` })
    },
    answers: ({ name }) => ({ look: data => each(data, 'ref'), see: [`refs/heads/${name}`] }),
  },
  {
    capability: 'repo.dependabot.alerts.list',
    kind: 'label',
    member: 'packages',
    all: true,
    input: name => ({ ...hello, packages: [name] }),
    given: (store, one) => {
      for (const packageName of everyName(one)) addDependency(store, { packageName })
    },
    answers: ({ name }) => ({ look: data => each(data, 'package'), see: [name] }),
    except: noCommas,
  },
  {
    capability: 'repo.dependabot.alerts.list',
    kind: 'file',
    member: 'manifests',
    all: true,
    input: path => ({ ...hello, manifests: [path] }),
    given: (store, one) => {
      for (const manifestPath of everyName(one)) addDependency(store, { manifestPath })
    },
    answers: ({ name }) => ({ look: data => each(data, 'manifestPath'), see: [name] }),
    except: noCommas,
  },
]
