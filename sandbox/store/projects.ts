import type { Account, IssueOrPull, Timestamp, User } from './entities.ts'
import type {
  DraftIssue,
  IterationField,
  PlainField,
  ProjectField,
  ProjectItem,
  ProjectV2,
  SingleSelectField,
} from './project-entities.ts'
import { invalid } from './refusal.ts'
import type { Registry } from './registry.ts'

export interface NewProject {
  owner: Account
  title: string
  creator: User
  shortDescription?: string | null
  readme?: string | null
  isPublic?: boolean
  isTemplate?: boolean
  closedAt?: Timestamp | null
  createdAt?: Timestamp
}

export type NewField =
  | Pick<PlainField, 'name' | 'dataType'>
  | Pick<SingleSelectField, 'name' | 'dataType' | 'options'>
  | Pick<IterationField, 'name' | 'dataType' | 'duration' | 'iterations'>

/** A new value. The member that is set must fit the field's type. */
export interface NewValue {
  text?: string | null
  number?: number | null
  date?: string | null
  singleSelectOptionId?: string | null
  iterationId?: string | null
}

const memberOf: Partial<Record<ProjectField['dataType'], keyof NewValue>> = {
  TEXT: 'text',
  NUMBER: 'number',
  DATE: 'date',
  SINGLE_SELECT: 'singleSelectOptionId',
  ITERATION: 'iterationId',
}

const kinds = {
  SINGLE_SELECT: 'ProjectV2SingleSelectField',
  ITERATION: 'ProjectV2IterationField',
} as const

/** Projects of users and organizations, numbered separately for each owner. */
export class Projects {
  readonly #registry: Registry
  readonly #all: ProjectV2[] = []

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add(fields: NewProject): ProjectV2 {
    const createdAt = fields.createdAt ?? this.#registry.timestamp()
    const project: ProjectV2 = {
      kind: 'ProjectV2',
      ...this.#registry.identify('ProjectV2'),
      owner: fields.owner,
      number: this.#all.filter(({ owner }) => owner === fields.owner).length + 1,
      title: fields.title,
      shortDescription: fields.shortDescription ?? null,
      readme: fields.readme ?? null,
      isPublic: fields.isPublic ?? false,
      isTemplate: fields.isTemplate ?? false,
      creator: fields.creator,
      closedAt: fields.closedAt ?? null,
      createdAt,
      updatedAt: createdAt,
      fields: [],
      items: [],
    }
    this.#all.push(project)
    this.#registry.register(project)
    this.addField(project, { name: 'Title', dataType: 'TITLE' })
    return project
  }

  of(owner: Account): ProjectV2[] {
    return this.#all.filter(project => project.owner === owner)
  }

  find(owner: Account, number: number): ProjectV2 | undefined {
    return this.#all.find(project => project.owner === owner && project.number === number)
  }

  addField(project: ProjectV2, field: NewField): ProjectField {
    const kind = kinds[field.dataType as keyof typeof kinds] ?? 'ProjectV2Field'
    const times = { createdAt: project.createdAt, updatedAt: project.createdAt }
    const made = { kind, ...this.#registry.identify(kind), project, ...field, ...times }
    project.fields.push(made as ProjectField)
    return this.#registry.register(made as ProjectField)
  }

  /** Adds an item, or returns the existing item for this content. */
  addItem(
    project: ProjectV2,
    content: IssueOrPull | DraftIssue,
    creator: User,
    createdAt = this.#registry.timestamp(),
  ): ProjectItem {
    const known = project.items.find(item => item.content === content)
    if (known) return known
    const item: ProjectItem = {
      kind: 'ProjectV2Item',
      ...this.#registry.identify('ProjectV2Item'),
      project,
      content,
      creator,
      archivedAt: null,
      values: new Map(),
      createdAt,
      updatedAt: createdAt,
    }
    project.items.push(item)
    return this.#registry.register(item)
  }

  addDraft(
    project: ProjectV2,
    title: string,
    creator: User,
    createdAt = this.#registry.timestamp(),
  ): ProjectItem {
    const draft: DraftIssue = {
      kind: 'DraftIssue',
      ...this.#registry.identify('DraftIssue'),
      project,
      title,
      body: '',
      creator,
      createdAt,
      updatedAt: createdAt,
    }
    return this.addItem(project, this.#registry.register(draft), creator, createdAt)
  }

  removeItem(item: ProjectItem): void {
    item.project.items = item.project.items.filter(other => other !== item)
    this.#registry.unregister(item)
  }

  setValue(item: ProjectItem, field: ProjectField, given: NewValue): void {
    const member = memberOf[field.dataType]
    if (member === undefined) {
      throw refused(
        field,
        `The field of type ${field.dataType.toLowerCase()} is currently not supported.`,
      )
    }
    const value = given[member]
    if (value === null || value === undefined) {
      const type = field.dataType.toLowerCase()
      throw refused(field, `Did not receive a ${type} value to update a field of type ${type}`)
    }
    if (!isOneOf(field, value)) {
      const what = field.dataType === 'ITERATION' ? 'iteration' : 'single select option'
      throw refused(field, `The ${what} Id does not belong to the field`)
    }
    item.values.set(field, value)
    this.#touch(item)
  }

  clearValue(item: ProjectItem, field: ProjectField): void {
    item.values.delete(field)
    this.#touch(item)
  }

  #touch(item: ProjectItem): void {
    item.updatedAt = this.#registry.timestamp()
    this.#registry.recordWrite()
  }
}

function isOneOf(field: ProjectField, value: string | number): boolean {
  if (field.dataType === 'SINGLE_SELECT') return field.options.some(({ id }) => id === value)
  if (field.dataType === 'ITERATION') return field.iterations.some(({ id }) => id === value)
  return true
}

function refused(field: ProjectField, message: string) {
  return invalid(message, { resource: 'ProjectV2Item', field: field.name, code: 'invalid' })
}
