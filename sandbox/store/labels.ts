import type { IssueOrPull, Label, Repository, Timestamp } from './entities.ts'
import { itemsIn } from './items.ts'
import { invalid } from './refusal.ts'
import type { Registry } from './registry.ts'

export interface NewLabel {
  name: string
  color?: string
  description?: string | null
  isDefault?: boolean
  createdAt?: Timestamp
}

export type LabelChanges = Partial<Pick<Label, 'name' | 'color' | 'description'>>

export class Labels {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add(repository: Repository, fields: NewLabel): Label {
    this.#checkName(repository, fields.name)
    const createdAt = fields.createdAt ?? this.#registry.timestamp()
    const label: Label = {
      kind: 'Label',
      ...this.#registry.identify('Label', repository),
      repository,
      name: fields.name,
      color: fields.color ?? 'ededed',
      description: fields.description ?? null,
      isDefault: fields.isDefault ?? false,
      createdAt,
      updatedAt: createdAt,
    }
    repository.labels.push(label)
    return this.#registry.register(label)
  }

  update(label: Label, changes: LabelChanges): void {
    const { name } = changes
    if (name !== undefined) this.#checkName(label.repository, name, label)
    Object.assign(label, changes, { updatedAt: this.#registry.timestamp() })
    this.#registry.recordWrite()
  }

  /** Deletes a label and removes it from all items. */
  delete(label: Label): void {
    const { repository } = label
    repository.labels = repository.labels.filter(it => it !== label)
    for (const item of itemsIn(repository)) {
      item.labels = item.labels.filter(it => it !== label)
    }
    this.#registry.unregister(label)
  }

  /** @param own The label being renamed. It may keep its own name. */
  #checkName(repository: Repository, name: string, own?: Label): void {
    const problem = { resource: 'Label', field: 'name' } as const
    if (name.trim() === '') {
      throw invalid("Name can't be blank", { ...problem, code: 'missing_field' })
    }
    const taken = this.find(repository, name)
    if (taken && taken !== own) {
      throw invalid('Name has already been taken', { ...problem, code: 'already_exists' })
    }
  }

  find(repository: Repository, name: string): Label | undefined {
    const wanted = name.toLowerCase()
    return repository.labels.find(label => label.name.toLowerCase() === wanted)
  }

  /** Labels by name. Like GitHub's REST API, it creates labels that do not exist yet. */
  findOrAdd(repository: Repository, names: readonly string[]): Label[] {
    return names.map(name => this.find(repository, name) ?? this.add(repository, { name }))
  }

  attach(item: IssueOrPull, labels: readonly Label[]): void {
    this.replace(item, [...item.labels, ...labels])
  }

  detach(item: IssueOrPull, labels: readonly Label[]): void {
    const gone = new Set(labels)
    this.replace(
      item,
      item.labels.filter(label => !gone.has(label)),
    )
  }

  /** Sets an item's labels. `updatedAt` changes only if the labels do. */
  replace(item: IssueOrPull, labels: readonly Label[]): void {
    const replaced = inOrder(labels)
    if (idsOf(replaced) !== idsOf(item.labels)) item.updatedAt = this.#registry.timestamp()
    item.labels = replaced
    this.#registry.recordWrite()
  }
}

/** An item's labels: each once, in the order in which they were created. */
export function inOrder(labels: readonly Label[]): Label[] {
  return [...new Set(labels)].toSorted((a, b) => a.databaseId - b.databaseId)
}

function idsOf(labels: readonly Label[]): string {
  return labels.map(label => label.databaseId).join()
}
