import type { Repository, Timestamp } from '../entities.ts'
import type { Registry } from '../registry.ts'
import type { DispatchInputs, Workflow, WorkflowState } from './entities.ts'

export interface NewWorkflow {
  name: string
  /** @default `.github/workflows/<name>.yml` */
  path?: string
  state?: WorkflowState
  dispatch?: DispatchInputs | null
  jobs?: readonly string[]
  createdAt?: Timestamp
}

/** Workflow files. */
export class Workflows {
  readonly #registry: Registry
  readonly #byRepository = new Map<Repository, Workflow[]>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add(repository: Repository, fields: NewWorkflow): Workflow {
    const createdAt = fields.createdAt ?? this.#registry.timestamp()
    const workflow: Workflow = {
      kind: 'Workflow',
      ...this.#registry.identify('Workflow', repository),
      repository,
      name: fields.name,
      path: fields.path ?? defaultPath(fields.name),
      state: fields.state ?? 'active',
      dispatch: fields.dispatch ?? null,
      jobs: fields.jobs ?? ['build'],
      createdAt,
      updatedAt: createdAt,
    }
    this.#byRepository.set(repository, [...this.of(repository), workflow])
    return this.#registry.register(workflow)
  }

  of(repository: Repository): readonly Workflow[] {
    return this.#byRepository.get(repository) ?? []
  }

  all(): Workflow[] {
    return [...this.#byRepository.values()].flat()
  }

  setState(workflow: Workflow, state: WorkflowState): void {
    workflow.state = state
    workflow.updatedAt = this.#registry.timestamp()
    this.#registry.recordWrite()
  }

  /** Finds a workflow by database id or file name. */
  find(repository: Repository, key: string): Workflow | undefined {
    return this.of(repository).find(
      workflow => String(workflow.databaseId) === key || workflow.path.split('/').at(-1) === key,
    )
  }
}

function defaultPath(name: string): string {
  return `.github/workflows/${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.yml`
}
