import { readFileSync } from 'node:fs'
import {
  DefaultPluginLoader,
  DisabledFixer,
  MonokleValidator,
  ResourceParser,
  SchemaLoader,
} from '@monokle/validation'
import { dump, load } from 'js-yaml'
import * as models from 'kubernetes-models'
import { describe, expect, test } from 'vitest'
import { stopMs } from '../../src/gateway/stop.ts'

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  // oxlint-disable-next-line typescript/no-explicit-any -- manifests of many kinds
  spec?: any
}

interface Kustomization {
  readonly resources: readonly string[]
  readonly images: readonly { readonly name: string; readonly newTag: string }[]
}

interface Compose {
  readonly 'x-gateway': { readonly environment: { readonly RES_OPTIONS: string } }
}

const folder = new URL('../../docker/kubernetes/', import.meta.url)
const read = <T>(file: string) => load(readFileSync(new URL(file, folder), 'utf8')) as T
const { resources, images } = read<Kustomization>('kustomization.yaml')

/** The manifests as `kubectl apply -k` sends them. */
function manifests(): readonly Manifest[] {
  return resources.map(file => {
    const manifest = read<Manifest>(file)
    for (const container of manifest.spec?.template?.spec.containers ?? []) {
      const image = images.find(({ name }) => name === container.image)
      if (image) container.image = `${image.name}:${image.newTag}`
    }
    return manifest
  })
}

const manifestOf = (kind: string) => manifests().find(one => one.kind === kind) as Manifest

/** The image's user is 1000, as in all images of Node; Node's compile cache in it belongs to that user. */
const ACCEPTED = new Set(['KBP104', 'KBP105'])

async function findFaults(all: readonly Manifest[]): Promise<readonly string[]> {
  const validator = new MonokleValidator({
    loader: new DefaultPluginLoader(),
    parser: new ResourceParser(),
    fixer: new DisabledFixer(),
    suppressors: [],
    schemaLoader: new SchemaLoader(),
  })
  await validator.preload({
    plugins: { 'pod-security-standards': true, practices: true, 'yaml-syntax': true },
    // Off, unless somebody asks for them.
    rules: Object.fromEntries(
      ['cpu-request', 'memory-request', 'memory-limit'].map(rule => [`practices/${rule}`, 'err']),
    ),
  })
  const checked = all.map((manifest, index) => ({
    id: String(index),
    fileId: String(index),
    filePath: `${index}.yaml`,
    fileOffset: 0,
    name: manifest.metadata.name,
    apiVersion: manifest.apiVersion,
    kind: manifest.kind,
    namespace: 'signalbox',
    content: manifest,
    text: dump(manifest),
  }))
  const { runs } = await validator.validate({ resources: checked })
  return runs
    .flatMap(run => run.results)
    .filter(({ ruleId }) => !ACCEPTED.has(ruleId))
    .map(({ ruleId, message }) => `${ruleId}: ${message.text}`)
}

describe('the manifests', () => {
  test.each(manifests().map(manifest => [manifest.kind, manifest] as const))(
    '%s has the form that Kubernetes wants',
    (kind, manifest) => {
      const model = Object.values(models)
        .flatMap(group => Object.values(group as Readonly<Record<string, unknown>>))
        .flatMap(one => (typeof one === 'object' && one !== null ? Object.values(one) : [one]))
        .find(one => isModelOf(one, manifest.apiVersion, kind))
      expect(model).toBeDefined()
      expect(() => new (model as ModelClass)(manifest).validate()).not.toThrow()
    },
  )

  test('break no rule of the pod security standards, and no practice', async () => {
    expect(await findFaults(manifests())).toEqual([])
  })

  test('are really checked: a privileged container without limits is found', async () => {
    const broken = structuredClone(manifestOf('Deployment'))
    const [container] = broken.spec.template.spec.containers
    container.securityContext = { privileged: true }
    delete container.resources
    const faults = (await findFaults([broken])).join()
    expect(faults).toContain('PSS103: ')
    expect(faults).toContain('KBP004: ')
  })
})

interface ModelClass {
  readonly apiVersion: string
  readonly kind: string
  new (data: object): { validate(): void }
}

function isModelOf(value: unknown, apiVersion: string, kind: string): boolean {
  if (typeof value !== 'function') return false
  const model = value as unknown as ModelClass
  return model.apiVersion === apiVersion && model.kind === kind
}

test('a pod has time for the drain and for its calls, and is ready again before the next one goes', () => {
  const { spec } = manifestOf('Deployment')
  const pod = spec.template.spec
  const [{ env, readinessProbe }] = pod.containers
  const drain = Number(env.find((one: { name: string }) => one.name === 'SIGNALBOX_DRAIN_MS').value)
  const stop = stopMs({ drain_ms: drain, shutdown_ms: 35_000 })
  expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(stop)
  expect(readinessProbe.periodSeconds * readinessProbe.failureThreshold * 2000).toBeLessThan(drain)
  expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0)
})

test('a pod asks its name server again as soon as a container of docker/several.yaml does', () => {
  const compose = load(readFileSync(new URL('../several.yaml', folder), 'utf8')) as Compose
  const { options } = manifestOf('Deployment').spec.template.spec.dnsConfig
  const resolver = options.map((one: { name: string; value: string }) => `${one.name}:${one.value}`)
  expect(resolver.join(' ')).toBe(compose['x-gateway'].environment.RES_OPTIONS)
})

test('selectors and ports lead to the pods', () => {
  const { labels } = manifestOf('Deployment').spec.template.metadata
  const [port] = manifestOf('Service').spec.ports
  const [container] = manifestOf('Deployment').spec.template.spec.containers
  expect(container.ports.map(({ name }: { name: string }) => name)).toContain(port.targetPort)
  for (const [kind, path] of [
    ['Service', 'selector'],
    ['PodDisruptionBudget', 'selector'],
    ['NetworkPolicy', 'podSelector'],
  ] as const) {
    const selector = manifestOf(kind).spec[path]
    expect([kind, selector.matchLabels ?? selector]).toEqual([kind, labels])
  }
})
