import type { RegistrationForms } from '../registration.ts';

/** Forms of axum, actix-web and clap's builder. */
export const registrations: RegistrationForms = {
  calls: [
    // .route("/users", get(list).post(create)), .route("/users", web::get().to(list)).
    { names: ['route'], kind: 'route', key: [0], handler: [1], needsHandler: true, least: 2 },
    { names: ['scope', 'nest'], kind: 'prefix', key: [0] },
  ],
};
