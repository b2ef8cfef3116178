/** `npm run sbom`: prints the packages of a production install as CycloneDX. */
import { spawnSync } from 'node:child_process'

interface Component {
  readonly 'bom-ref': string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

interface Bom {
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

const ARGS = ['sbom', '--sbom-type', 'application', '--sbom-format', 'cyclonedx']

// `--omit dev` would also leave out packages that we and a development package both depend on.
const { stdout, stderr, status } = spawnSync('npm', ARGS, {
  encoding: 'utf8',
  maxBuffer: 256 * 1024 * 1024,
})
if (status === 0)
  process.stdout.write(`${JSON.stringify(productionOf(JSON.parse(stdout)), null, 2)}\n`)
else process.stderr.write(stderr)
process.exitCode = status ?? 1

function productionOf(bom: Bom): Bom {
  const dropped = new Set(bom.components.filter(isForDevelopment).map(one => one['bom-ref']))
  const isKept = (ref: string) => !dropped.has(ref)
  return {
    ...bom,
    components: bom.components.filter(one => isKept(one['bom-ref'])),
    dependencies: bom.dependencies
      .filter(({ ref }) => isKept(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isKept) })),
  }
}

function isForDevelopment({ properties = [] }: Component): boolean {
  return properties.some(
    ({ name, value }) => name === 'cdx:npm:package:development' && value === 'true',
  )
}
