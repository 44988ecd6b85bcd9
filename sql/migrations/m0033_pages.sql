-- What a tenant's pages are like, what a job's pages are, and on which paper they are drawn.

-- print_fit: what LARGE, MEDIUM and SMALL are: shares of a page, or papers (A4, B5, A5). print_paper: what is taken where nobody asks for a paper.
-- prints_mark: a small QR code by which a page is known again when it comes back as a scan.
alter table tenant
    add column print_fit text not null default 'page' collate "C",
    add column print_paper text collate "C",
    add column prints_mark boolean not null default false,
    add constraint tenant_print_fit_check check (print_fit in ('page', 'paper')),
    add constraint tenant_print_paper_check check (print_paper ~ '^[a-z0-9]{1,16}$');
grant update (print_fit, print_paper, prints_mark) on tenant to chil_operator;

-- drawing_ids: of a book, a page each, in this order; null: drawing_id alone, which is the book's first. paper_wanted: what the person asks
-- for. paper: what the printer had when the pages were drawn; null: they were not yet. page_count: copies included; fewer than were asked for
-- where drawings of a book were deleted before.
alter table print_job
    add column drawing_ids bigint[],
    add column paper_wanted text collate "C",
    add column paper text collate "C",
    add column paper_substituted boolean not null default false,
    add column page_count integer not null default 1,
    add constraint print_job_book_check check (cardinality(drawing_ids) between 2 and 20 and drawing_ids[1] = drawing_id),
    add constraint print_job_paper_check check (length(paper) <= 255 and length(paper_wanted) <= 16),
    add constraint print_job_pages_check check (page_count between 1 and 200);
grant update (paper, paper_substituted, page_count) on print_job to chil_service;
