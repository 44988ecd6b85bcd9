-- Records of Apple's that were made before there was a REST side get Apple's; and the operation that moves a user to the subject that
-- the person has after a team transfer.
--
-- Why a function: which users are moved is decided row by row, under the same lock that a first sign-in takes, so that a person who
-- signs in at that very moment is moved once and gets no second account.

update provider p
   set authorize_url = 'https://appleid.apple.com/auth/authorize',
       token_url = 'https://appleid.apple.com/auth/token',
       revoke_url = 'https://appleid.apple.com/auth/revoke',
       migration_url = 'https://appleid.apple.com/auth/usermigrationinfo'
 where p.token_url is null and p.jwks_url = 'https://appleid.apple.com/auth/keys'
   and exists (
        select from provider_issuer i
         where i.tenant_id = p.tenant_id and i.provider_id = p.provider_id and i.issuer = 'https://appleid.apple.com'
       );

-- A user of whom a transfer row tells the subject with the other team gets the subject that the provider says now.
--   verdict: moved | taken (somebody has that subject already: signed in before the rows were imported; the row stays)
--            | nobody (no such user any more; the row goes) | missing (no row: moved already)
-- The address is taken over where the user's is the provider's relay: the old one reaches nobody after the transfer.
-- Locks: the subject's advisory lock, as a first sign-in has it; then user, identity, the transfer's row.
create function chil_move_subject(
    p_tenant bigint, p_provider bigint, p_transfer_subject text, p_subject text, p_email text, p_audit bigint, p_operator text,
    p_now timestamptz, out verdict text
)
    language plpgsql volatile
    as $$
    declare
        v_old  text;
        v_user bigint;
    begin
        perform pg_advisory_xact_lock(hashtextextended(p_provider || ' ' || p_subject, p_tenant));
        select t.subject into v_old
          from subject_transfer t
         where t.tenant_id = p_tenant and t.provider_id = p_provider and t.transfer_subject = p_transfer_subject;
        if not found then
            verdict := 'missing';
            return;
        end if;
        select i.user_id into v_user
          from identity i
         where i.tenant_id = p_tenant and i.provider_id = p_provider and i.subject = v_old;
        perform from app_user u where u.tenant_id = p_tenant and u.user_id = v_user for no key update;
        -- Again, under the user's lock: a deletion may have been faster.
        perform from identity i
          where i.tenant_id = p_tenant and i.provider_id = p_provider and i.subject = v_old and i.user_id = v_user
            for update;
        if not found then
            verdict := 'nobody';
        elsif v_old = p_subject then
            verdict := 'moved';
        elsif exists (
            select from identity i where i.tenant_id = p_tenant and i.provider_id = p_provider and i.subject = p_subject
        ) then
            verdict := 'taken';
            return;
        else
            update identity i set subject = p_subject, transferred_from = v_old
             where i.tenant_id = p_tenant and i.provider_id = p_provider and i.subject = v_old;
            update code_exchange e set subject = p_subject
             where e.tenant_id = p_tenant and e.provider_id = p_provider and e.subject = v_old;
            update app_user u set email = p_email, updated_at = p_now
             where u.tenant_id = p_tenant and u.user_id = v_user and p_email is not null and u.is_private_email;
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
                values (p_tenant, p_audit, p_now, 'operator', p_operator, 'identity.move', v_user::text, 'team transfer');
            verdict := 'moved';
        end if;
        delete from subject_transfer t
         where t.tenant_id = p_tenant and t.provider_id = p_provider and t.transfer_subject = p_transfer_subject;
    end
    $$;

grant execute on function chil_move_subject(bigint, bigint, text, text, text, bigint, text, timestamptz) to chil_operator;
grant update (subject, transferred_from) on identity to chil_operator;
grant update (email) on app_user to chil_operator;
grant update (authority) on provider_client to chil_operator;
