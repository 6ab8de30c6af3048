export * from './clock';
export { Calendar, ServiceDay } from './calendar';
export { FeedReader } from './feed';
export type { Departure, Trip } from './feed';
export { Station, Stop, type Located } from './stop';
