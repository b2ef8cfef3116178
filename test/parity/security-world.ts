import type { Store } from '../../sandbox/index.ts'
import { repositoryIn } from './worlds.ts'

/** Alerts that cases and hostile names put into the sandbox, each like the first of the seed. */

export function addScan(
  store: Store,
  fields: { tool?: string; ref?: string; message?: string },
): void {
  const [first] = store.security.codeScanningOf(repositoryIn(store))
  if (!first) throw new Error('the seed has no alert of code scanning')
  const { rule, tool, ref, place, message } = first
  store.security.addCodeScanning(repositoryIn(store), {
    rule,
    tool,
    ref,
    place,
    message,
    ...fields,
  })
}

export function addDependency(
  store: Store,
  { packageName, manifestPath }: { packageName?: string; manifestPath?: string },
): void {
  const [first] = store.security.dependabotOf(repositoryIn(store))
  if (!first) throw new Error('the seed has no Dependabot alert')
  store.security.addDependabot(repositoryIn(store), {
    advisory: { ...first.advisory, ...(packageName !== undefined && { packageName }) },
    manifestPath: manifestPath ?? first.manifestPath,
  })
}

export function addSecret(store: Store): void {
  const [first] = store.security.secretsOf(repositoryIn(store))
  if (!first) throw new Error('the seed has no alert of secret scanning')
  const { secretType, secretTypeName, provider, place, secret } = first
  const fields = { secretType, secretTypeName, provider, place, secret }
  store.security.addSecret(repositoryIn(store), fields)
}
