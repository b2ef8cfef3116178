/**
 * `npm run sbom`: prints the packages of a production install as CycloneDX. With `--image NAME`, also Node and the Debian packages
 * of that image, which `--engine` runs once.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

interface Component {
  readonly type: string
  readonly name: string
  readonly version?: string
  readonly 'bom-ref': string
  readonly purl?: string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

interface Bom {
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

const { values } = parseArgs({
  options: { image: { type: 'string' }, engine: { type: 'string', default: 'docker' } },
})
const { image, engine } = values

/** Prints the distribution, the version of Node, and a line for each Debian package. */
const INVENTORY = `. /etc/os-release && echo "$ID-$VERSION_ID" && node --version && dpkg-query -W -f '\${Package} \${Version} \${Architecture}\\n'`

// `--omit dev` would also leave out packages that we and a development package both depend on.
const bom = productionOf(
  JSON.parse(run('npm', ['sbom', '--sbom-type', 'application', '--sbom-format', 'cyclonedx'])),
)
const ofImage = image === undefined ? [] : componentsOf(inventoryOf(image))
const whole = { ...bom, components: [...bom.components, ...ofImage] }
process.stdout.write(`${JSON.stringify(whole, null, 2)}\n`)

function run(command: string, args: readonly string[]): string {
  const { stdout, stderr, status, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (status === 0) return stdout
  process.stderr.write(stderr || `${command} cannot be started: ${error?.message}\n`)
  process.exit(status ?? 1)
}

function inventoryOf(name: string): string {
  const args = ['run', '--rm', '--network=host', '--entrypoint', 'sh', name, '-c', INVENTORY]
  return run(engine, args)
}

function componentsOf(inventory: string): readonly Component[] {
  const [distribution = '', node = '', ...packages] = inventory.trim().split('\n')
  const version = node.replace(/^v/, '')
  const purl = `pkg:generic/node@${version}`
  const runtime = { type: 'application', name: 'node', version, 'bom-ref': purl, purl }
  return [runtime, ...packages.map(line => debianPackage(line, distribution))]
}

function debianPackage(line: string, distribution: string): Component {
  const [name = '', version = '', architecture = ''] = line.split(' ')
  const [vendor = ''] = distribution.split('-')
  const where = `arch=${architecture}&distro=${distribution}`
  const purl = `pkg:deb/${vendor}/${encodeURIComponent(name)}@${encodeURIComponent(version)}?${where}`
  return { type: 'library', name, version, 'bom-ref': purl, purl }
}

function productionOf(given: Bom): Bom {
  const dropped = new Set(given.components.filter(isForDevelopment).map(one => one['bom-ref']))
  const isKept = (ref: string) => !dropped.has(ref)
  return {
    ...given,
    components: given.components.filter(one => isKept(one['bom-ref'])),
    dependencies: given.dependencies
      .filter(({ ref }) => isKept(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isKept) })),
  }
}

function isForDevelopment({ properties = [] }: Component): boolean {
  return properties.some(
    ({ name, value }) => name === 'cdx:npm:package:development' && value === 'true',
  )
}
