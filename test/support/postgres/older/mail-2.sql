-- A database as the program with version 2 of its schema left it: it made these rows itself. Not to be changed.
-- Step 1, beside programs from 1 on
CREATE TABLE settings (name text PRIMARY KEY, value text NOT NULL);

CREATE TABLE lanes (
  lane int PRIMARY KEY,
  n bigint NOT NULL,
  envelope_count bigint NOT NULL,
  bytes bigint NOT NULL,
  open_bytes bigint NOT NULL,
  used_at bigint NOT NULL
) WITH (fillfactor = 20);
INSERT INTO lanes (lane, n, envelope_count, bytes, open_bytes, used_at) SELECT lane, 0, 0, 0, 0, 0 FROM generate_series(0, 15) AS lane;

CREATE TABLE mailboxes (
  mailbox bigint PRIMARY KEY,
  last_seq bigint NOT NULL,
  bytes bigint NOT NULL,
  served_at bigint NOT NULL,
  envelope_count int NOT NULL,
  hidden_count int NOT NULL,
  first_day int NOT NULL,
  pub bytea NOT NULL
) WITH (fillfactor = 70);

CREATE TABLE envelopes (
  mailbox bigint NOT NULL,
  seq bigint NOT NULL,
  received_at bigint NOT NULL,
  sent_at bigint NOT NULL,
  fee_ut bigint NOT NULL,
  received_day int NOT NULL,
  bytes int NOT NULL,
  room smallint,
  is_hidden boolean NOT NULL,
  is_authentic boolean NOT NULL,
  id text NOT NULL,
  party text NOT NULL,
  tag text NOT NULL,
  sender_pub bytea NOT NULL,
  sender_ed25519_pub bytea NOT NULL,
  fee_sig text,
  admit text,
  nonce bytea NOT NULL,
  ciphertext bytea NOT NULL,
  PRIMARY KEY (mailbox, seq, received_day),
  UNIQUE (mailbox, id, received_day)
) PARTITION BY RANGE (received_day);
ALTER TABLE envelopes ALTER COLUMN ciphertext SET STORAGE EXTERNAL;
CREATE INDEX envelopes_by_source ON envelopes (party, tag, room, received_at);
CREATE INDEX envelopes_read ON envelopes (received_at, mailbox, seq) WHERE room IS NULL;

CREATE TABLE deleted_envelopes (
  mailbox bigint NOT NULL,
  deleted_day int NOT NULL,
  id text NOT NULL,
  PRIMARY KEY (mailbox, id, deleted_day)
) PARTITION BY RANGE (deleted_day);

CREATE TABLE sources (
  party text NOT NULL,
  tag text NOT NULL,
  lane int NOT NULL,
  waiting_bytes bigint NOT NULL,
  open_bytes bigint NOT NULL,
  PRIMARY KEY (party, tag, lane)
) WITH (fillfactor = 70);

CREATE TABLE opened_boxes (
  mailbox bytea PRIMARY KEY,
  write_key text NOT NULL,
  read_rule text NOT NULL,
  until bigint NOT NULL,
  height bigint NOT NULL,
  signature text NOT NULL,
  held_until bigint NOT NULL,
  party text NOT NULL,
  is_foreign boolean NOT NULL
);
CREATE INDEX opened_boxes_by_time ON opened_boxes (held_until);
CREATE INDEX opened_boxes_by_party ON opened_boxes (party, held_until);

CREATE TABLE used_proofs (mac bigint PRIMARY KEY, unix_seconds bigint NOT NULL);
CREATE INDEX used_proofs_by_time ON used_proofs (unix_seconds);

CREATE TABLE limits (key text NOT NULL, period bigint NOT NULL, used bigint NOT NULL, PRIMARY KEY (key, period)) WITH (fillfactor = 50);

CREATE TABLE wake (
  lane int NOT NULL,
  n bigint NOT NULL,
  written_at bigint NOT NULL,
  pubs bytea[] NOT NULL,
  seqs bigint[] NOT NULL,
  PRIMARY KEY (lane, n)
);
CREATE INDEX wake_by_time ON wake (written_at);

CREATE TABLE outgoing (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, written_at bigint NOT NULL, kind text NOT NULL, body text NOT NULL);

CREATE TABLE feeds (node text PRIMARY KEY, envelopes bigint NOT NULL, deletions bigint NOT NULL);

-- Step 2, beside programs from 1 on
CREATE TABLE explorer_feed (
  id int PRIMARY KEY CHECK (id = 1),
  first bigint,
  height bigint,
  hash bytea,
  records_height bigint,
  current_at timestamptz NOT NULL,
  has_conflict boolean NOT NULL
) WITH (fillfactor = 10);
INSERT INTO explorer_feed (id, current_at, has_conflict) VALUES (1, '-infinity', false);

CREATE TABLE explorer_blocks (
  height bigint PRIMARY KEY,
  time_ms bigint NOT NULL,
  total_fees_ut bigint NOT NULL,
  reward_ut bigint,
  tx_count int NOT NULL,
  hash bytea NOT NULL,
  parent_hash bytea NOT NULL,
  state_root bytea NOT NULL,
  proposer bytea NOT NULL,
  reward_to bytea
);
CREATE UNIQUE INDEX explorer_blocks_by_hash ON explorer_blocks (hash);

CREATE TABLE explorer_transactions (seq bigint PRIMARY KEY, id_key bigint NOT NULL, record bytea NOT NULL);
CREATE INDEX explorer_transactions_by_id ON explorer_transactions (id_key);

CREATE TABLE explorer_entries (account bytea NOT NULL, seq bigint NOT NULL, PRIMARY KEY (account, seq));

CREATE TABLE explorer_types (type text PRIMARY KEY, total bigint NOT NULL) WITH (fillfactor = 50);

CREATE TABLE explorer_hours (
  hour bigint PRIMARY KEY,
  blocks bigint NOT NULL,
  transactions bigint NOT NULL,
  failed bigint NOT NULL,
  fees_ut bigint NOT NULL,
  gaps bigint NOT NULL,
  gap_ms bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE explorer_records (namespace text NOT NULL, key bytea NOT NULL, value bytea NOT NULL, PRIMARY KEY (namespace, key))
  WITH (fillfactor = 70);

-- Weeks
CREATE TABLE deleted_envelopes_w2975 PARTITION OF deleted_envelopes FOR VALUES FROM (20825) TO (20832);
CREATE TABLE deleted_envelopes_w2976 PARTITION OF deleted_envelopes FOR VALUES FROM (20832) TO (20839);
CREATE TABLE deleted_envelopes_w2977 PARTITION OF deleted_envelopes FOR VALUES FROM (20839) TO (20846);
CREATE TABLE deleted_envelopes_w2978 PARTITION OF deleted_envelopes FOR VALUES FROM (20846) TO (20853);
CREATE TABLE envelopes_w2975 PARTITION OF envelopes FOR VALUES FROM (20825) TO (20832);
CREATE TABLE envelopes_w2976 PARTITION OF envelopes FOR VALUES FROM (20832) TO (20839);
CREATE TABLE envelopes_w2977 PARTITION OF envelopes FOR VALUES FROM (20839) TO (20846);
CREATE TABLE envelopes_w2978 PARTITION OF envelopes FOR VALUES FROM (20846) TO (20853);

-- Rows
DELETE FROM deleted_envelopes;
INSERT INTO deleted_envelopes OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::deleted_envelopes, '[
{"mailbox":1111585725721874244,"deleted_day":20833,"id":"9ffd6f4c83bb035495b8878fb0315327"},
{"mailbox":1111585725721874244,"deleted_day":20833,"id":"cc7ac3792a3b8c5dab754703da56bead"}
]');
DELETE FROM envelopes;
INSERT INTO envelopes OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::envelopes, '[
{"mailbox":-2788442189279911791,"seq":1800000000001,"received_at":1800000000,"sent_at":1799999001,"fee_ut":0,"received_day":20833,"bytes":366,"room":0,"is_hidden":false,"is_authentic":true,"id":"d68316a7fd6cc93a0d23fa9daa6e952c","party":"other","tag":"a","sender_pub":"\\x0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157","sender_ed25519_pub":"\\x","fee_sig":null,"admit":null,"nonce":"\\x000000010000000000000000000000000000000000000000","ciphertext":"\\xdfbe8aeadcb88ff42f9d70cc3a13cb5c0703db96d98f"},
{"mailbox":-2788442189279911791,"seq":1800000000002,"received_at":1800000000,"sent_at":1800000000,"fee_ut":0,"received_day":20833,"bytes":382,"room":0,"is_hidden":false,"is_authentic":true,"id":"333a15f23c90e2aa80dac461fba56e3b","party":"friend","tag":"","sender_pub":"\\x3fd1a03099308866b3a85a5dc272fa884aee3166d97efcf71fb4839427df8c3d","sender_ed25519_pub":"\\x","fee_sig":null,"admit":null,"nonce":"\\x4fa58ab32a17475eb327055a229d06e542cfbb860bb68724","ciphertext":"\\x1d90028fe34f228e5c295a8ef417b3a68debac9fbbd570a84f99f6313cc4c8bf8a9dd6"},
{"mailbox":-2788442189279911791,"seq":1800000000003,"received_at":1800000000,"sent_at":1799999005,"fee_ut":0,"received_day":20833,"bytes":366,"room":0,"is_hidden":false,"is_authentic":true,"id":"bb31cbbf5dec8805330fd0370a37fa80","party":"node x","tag":"","sender_pub":"\\x0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157","sender_ed25519_pub":"\\x","fee_sig":null,"admit":null,"nonce":"\\x000000050000000000000000000000000000000000000000","ciphertext":"\\x4703acbfe8e4c2a7d208a841969ab9d3cb5bc1068d83"},
{"mailbox":1111585725721874244,"seq":1800000000002,"received_at":1800000000,"sent_at":1799999002,"fee_ut":0,"received_day":20833,"bytes":366,"room":null,"is_hidden":true,"is_authentic":true,"id":"1c3e4c69e63da8e8706127aa5c067759","party":"friend","tag":"","sender_pub":"\\x0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157","sender_ed25519_pub":"\\x","fee_sig":null,"admit":null,"nonce":"\\x000000020000000000000000000000000000000000000000","ciphertext":"\\xffc4bcd91395701ee8c7028eb2b4e9176a51002981c3"},
{"mailbox":1111585725721874244,"seq":1800000000004,"received_at":1800000000,"sent_at":1799999004,"fee_ut":0,"received_day":20833,"bytes":366,"room":0,"is_hidden":false,"is_authentic":true,"id":"44e923bd837cd58e0245474aa78cac6d","party":"friend","tag":"","sender_pub":"\\x0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157","sender_ed25519_pub":"\\x","fee_sig":null,"admit":null,"nonce":"\\x000000040000000000000000000000000000000000000000","ciphertext":"\\x06c42993acf1ce8ac71c79e16f9a505a9c485ae8c59e"},
{"mailbox":1111585725721874244,"seq":1800000000005,"received_at":1800000000,"sent_at":1799999005,"fee_ut":0,"received_day":20833,"bytes":366,"room":0,"is_hidden":false,"is_authentic":true,"id":"49411426162ee3fa57fb556f42bb0d62","party":"friend","tag":"","sender_pub":"\\x0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157","sender_ed25519_pub":"\\x","fee_sig":null,"admit":null,"nonce":"\\x000000050000000000000000000000000000000000000000","ciphertext":"\\x5e122b445566ae999944ee15d4bb8011c15c18cb1f1b"},
{"mailbox":1111585725721874244,"seq":1800000000006,"received_at":1800000000,"sent_at":1799999006,"fee_ut":0,"received_day":20833,"bytes":366,"room":0,"is_hidden":false,"is_authentic":true,"id":"81c2fb64c5c6a0b456eba0b15410f15e","party":"friend","tag":"","sender_pub":"\\x0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157","sender_ed25519_pub":"\\x","fee_sig":null,"admit":null,"nonce":"\\x000000060000000000000000000000000000000000000000","ciphertext":"\\x26c1982e6b7306176a543e7705ecc4d17c312c6f5e5b"},
{"mailbox":509161700845492707,"seq":1800000000001,"received_at":1800000000,"sent_at":1799999001,"fee_ut":0,"received_day":20833,"bytes":366,"room":2,"is_hidden":false,"is_authentic":true,"id":"1e39f94b0886afdc965895bdf9ba03be","party":"friend","tag":"","sender_pub":"\\x0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157","sender_ed25519_pub":"\\x","fee_sig":null,"admit":"+otLdoEwZBFjvmFTDbIobjBTzHWySFIUEM12G2tZOoCgNoY+rIaseH+s9JvXV/3LG5KB4xBkFVdUWAbEe3egDg==","nonce":"\\x000000010000000000000000000000000000000000000000","ciphertext":"\\x88c451c999bd5da32949d953c740cddea288dc922efc"},
{"mailbox":509161700845492707,"seq":1800000000002,"received_at":1800000000,"sent_at":1799999002,"fee_ut":0,"received_day":20833,"bytes":366,"room":2,"is_hidden":false,"is_authentic":true,"id":"927d941703178f1d78eb09e77265bb40","party":"friend","tag":"","sender_pub":"\\x0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157","sender_ed25519_pub":"\\x","fee_sig":null,"admit":"/G45kr8jzqgz6Nbc9nRh+gCdA/hQJY9QVy4+30weMUKJh0PhtXO0Dn8SWLyisVy5UtlTA5Kw+qfHtz/Kjk52Aw==","nonce":"\\x000000020000000000000000000000000000000000000000","ciphertext":"\\x60dd9cfbcd582308423777fd63ff339ae0d9490c57da"}
]');
DELETE FROM explorer_blocks;
INSERT INTO explorer_blocks OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::explorer_blocks, '[
{"height":0,"time_ms":1767225600000,"total_fees_ut":0,"reward_ut":null,"tx_count":0,"hash":"\\x0f70aed79b613718f128cbf1df96a3d6d7aa6c12d62361f3bbf16678e75845a4","parent_hash":"\\xde633145fa7df155037a807b7917aaae2164c5d5d26b331884035421a92c96c0","state_root":"\\x7f4416598d50e9a313c3e8eabf8cf8927604459d8a0a80dbe2a70b632c95bfd2","proposer":"\\xfd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f618","reward_to":null},
{"height":1,"time_ms":1767225601000,"total_fees_ut":3694,"reward_ut":53694,"tx_count":3,"hash":"\\x0add78280b9ba545190bdf9c65b156683fe0d58a4123f92adb9ce4c3d6c61100","parent_hash":"\\x0f70aed79b613718f128cbf1df96a3d6d7aa6c12d62361f3bbf16678e75845a4","state_root":"\\xf1f7f832ea4d2a834e3a71946bae94c3fa5fda75558457ea77a8c5e99fb82649","proposer":"\\xfd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f618","reward_to":"\\xfd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f618"},
{"height":2,"time_ms":1767225602000,"total_fees_ut":2782,"reward_ut":52782,"tx_count":2,"hash":"\\xe6af62ebd305a6bf722bb278d38bf266c4a81d2ea625334aae0bc08e19eb48e0","parent_hash":"\\x0add78280b9ba545190bdf9c65b156683fe0d58a4123f92adb9ce4c3d6c61100","state_root":"\\x023d3707d9cd9aaaff3b04436ef08099b64d7200053a71b041954364b0b7a761","proposer":"\\xfd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f618","reward_to":"\\xfd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f618"},
{"height":3,"time_ms":1767225603000,"total_fees_ut":1000,"reward_ut":51000,"tx_count":1,"hash":"\\x6e15394bb87026a1550aa73b9da119958cbc840c6619e6bc8b511703c02bf064","parent_hash":"\\xe6af62ebd305a6bf722bb278d38bf266c4a81d2ea625334aae0bc08e19eb48e0","state_root":"\\x1c6fff431ab496ea1cba11f29cc34c8924537bad9ffd8752d2c008431f6ebdb6","proposer":"\\xfd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f618","reward_to":"\\xfd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f618"}
]');
DELETE FROM explorer_entries;
INSERT INTO explorer_entries OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::explorer_entries, '[
{"account":"\\x8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394","seq":16385},
{"account":"\\x8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394","seq":24576},
{"account":"\\x8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394","seq":8194},
{"account":"\\x8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c","seq":16384},
{"account":"\\x8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c","seq":8192},
{"account":"\\x8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c","seq":8193},
{"account":"\\xfd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f618","seq":16383},
{"account":"\\xfd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f618","seq":24575},
{"account":"\\xfd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f618","seq":32767}
]');
DELETE FROM explorer_feed;
INSERT INTO explorer_feed OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::explorer_feed, '[
{"id":1,"first":0,"height":3,"hash":"\\x6e15394bb87026a1550aa73b9da119958cbc840c6619e6bc8b511703c02bf064","records_height":3,"current_at":"2026-11-30T16:56:17.036821+00:00","has_conflict":false}
]');
DELETE FROM explorer_hours;
INSERT INTO explorer_hours OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::explorer_hours, '[
{"hour":490896,"blocks":3,"transactions":6,"failed":1,"fees_ut":7476,"gaps":2,"gap_ms":2000}
]');
DELETE FROM explorer_records;
INSERT INTO explorer_records OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::explorer_records, '[
{"namespace":"account","key":"\\x8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394","value":"\\x831a009888d103582016baad35b2457a4702a4df0d83be8eb0a1bf62797d7d6e38afc4495af9eea34a"},
{"namespace":"account","key":"\\x8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c","value":"\\x831a009886fb03582035cebab1de266543e3a657ab80e247bdfb1de70623c2ed6feb919480e1b221c4"},
{"namespace":"account","key":"\\xfd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f618","value":"\\x831a0002672403582095c715b01b6cef0aab09008c18d441f53c52447408cd2837879734bb4e9dad17"},
{"namespace":"supply","key":"\\x746f74616c","value":"\\x811a0142b930"},
{"namespace":"validators","key":"\\x736574","value":"\\x81825820fd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f6181a000f4240"}
]');
DELETE FROM explorer_transactions;
INSERT INTO explorer_transactions OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::explorer_transactions, '[
{"seq":16384,"id_key":260337329514981,"record":"\\x89785374783130303030303030313030303030303034653831326438346430343962313365663037343536313763623636313738653464633862636532346434383934653130353234303434343330373634363239316d43414c4c5f434f4e545241435458208a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c40001903e858577b22636f6e74726163745f6964223a2232323363376162333834353865303966222c226d6574686f64223a226d696e74222c22617267735f6a736f6e223a225b5c226f6e655c222c5c224f6e655c222c5c225c225d227d74323032362d30312d30315430303a30303a30305a58409b55dc3232b63d4dfc15fb4b6a684c4c451476fb5d6c009e4bce4c5b3dd20daa08690cfb753893c7d8ca0775a9a93eb03ceab6379240087a47a39261763b8508f56019056f1a0005f57a8182703232336337616233383435386530396678496d696e74206f6e65203861383865336464373430396631393566643532646232643363626135643732636136373039626631643934313231626633373438383031623430663666356380"},
{"seq":16385,"id_key":272131859430330,"record":"\\x89785374783130303030303030313030303030303035376362313139326462383939663338373832623539666338383164333431313736653538383930383839386638626163373965336632393762396133366163636d43414c4c5f434f4e545241435458208139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b39440001903e858577b22636f6e74726163745f6964223a2232323363376162333834353865303966222c226d6574686f64223a226d696e74222c22617267735f6a736f6e223a225b5c2274776f5c222c5c2254776f5c222c5c225c225d227d74323032362d30312d30315430303a30303a30305a5840cf40e46e5dcef5966fcb2f7b389100eb38e648a08c1496cbeb1f873ebb7bce61cd08d77932ef9695cacb9a8d6d645841da75d5e0c454bbdcbb63a4c406869903f56019056f1a0005f57a8182703232336337616233383435386530396678496d696e742074776f203831333937373065613837643137356635366133353436366333346337656363636238643861393162346565333761323564663630663562386663396233393480"},
{"seq":24576,"id_key":52355489307340,"record":"\\x89785374783130303030303030313030303030303039333266326631333663633163393861383439383064326535376561356236323738613661326166313231346462396335646438643566313830303263396632366b52454c41595f50524f4f4658208139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b39440001903e859013d7b22636c61696d73223a5b7b22656e76656c6f70655f6964223a22656e76656c6f70652d38222c22726563697069656e745f707562223a2231336265346665616561663230346337666433333538666339633030373231383831643137343237383132383232376563363734663337663766653937623664222c2273656e6465725f707562223a2238613838653364643734303966313935666435326462326433636261356437326361363730396266316439343132316266333734383830316234306636663563222c226665655f7574223a39392c226665655f736967223a223343622b45667435342b55557446706f616e2f7547454d79317968746d496a757254346d432f466a6130524c79585a33367373683776524d4734686f6674686b546a6f366b4d6d52362f456d424138427557664244773d3d227d5d7d74323032362d30312d30315430303a30303a30335a58403a6705ac1f2d15e24166874de968184fb4dd5c7096b630026d23260b6d34879422850e71b30e0e66ebdffe486a2967eee363563f616748768cd0cd1bf4843009f47452454c41595f4e4f545f524547495354455245441903e8008080"},
{"seq":8192,"id_key":269303140178472,"record":"\\x89785374783130303030303030313030303030303031383865393066653061353265656335373364623435356338363738663262323766333436323966343035363735363637393033346166616535326130616139346d43414c4c5f434f4e545241435458208a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c40001903e8585f7b22636f6e74726163745f6964223a2235363163656565663366346330653566222c226d6574686f64223a226973737565222c22617267735f6a736f6e223a225b5c227465615c222c5c225465615c222c5c225445415c222c302c395d227d74323032362d30312d30315430303a30303a30305a5840bdde6234fe1705402235ee7c3c47e458cf6b6d7f8a882892c703dce04660ade46ef0f78fcafa0d82d1030aa681012a79415c51e180379512077f47cc2274eb0bf5601905bd1a0007272c81827035363163656565663366346330653566784c6973737565207465612038613838653364643734303966313935666435326462326433636261356437326361363730396266316439343132316266333734383830316234306636663563203980"},
{"seq":8193,"id_key":218082640616897,"record":"\\x89785374783130303030303030313030303030303032316635333235613532326433386564666539633031303332343237383635363061333736353661633264353533346262376130393062393065656335326564666f4445504c4f595f434f4e545241435458208a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c40001903e8587f7b227761736d5f623634223a224147467a62514541414141464177454141513d3d222c226162695f6a736f6e223a227b5c22636f6e74726163745c223a5c2273686f705c222c5c2276657273696f6e5c223a5c22312e305c222c5c226d6574686f64735c223a5b5d7d222c226761735f6c696d6974223a313030303030307d74323032362d30312d30315430303a30303a30305a58402bb2345b6b745116957e3f752ea880ae5638352c08e0ccfbf8bd31fa902de66db1851bc5b296fe7a22ec1a177a7818cf87a8259a69093fba25651e6916d25f02f5601904591a0001b6488080"},
{"seq":8194,"id_key":9794533841189,"record":"\\x89785374783130303030303030313030303030303033376164666664363165663064396336633262386564666636343531336535633931393937643432626161653064663862306237653565333630303765313030316f4445504c4f595f434f4e545241435458208139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b39440001903e8587e7b227761736d5f623634223a224147467a62514541414141464177454141513d3d222c226162695f6a736f6e223a227b5c22636f6e74726163745c223a5c22696e6e5c222c5c2276657273696f6e5c223a5c22312e305c222c5c226d6574686f64735c223a5b5d7d222c226761735f6c696d6974223a313030303030307d74323032362d30312d30315430303a30303a30305a58401709a609b01b6f18cddc0d86a9126815ad558764201e555744a6d8c8dae51ac919a0dfece7965c06d6a613f9b0d9f9d4fb8023d6604dc80fe5e99caf6c78a00ff5601904581a0001b5808080"}
]');
DELETE FROM explorer_types;
INSERT INTO explorer_types OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::explorer_types, '[
{"type":"BLOCK_REWARD","total":3},
{"type":"CALL_CONTRACT","total":3},
{"type":"DEPLOY_CONTRACT","total":2},
{"type":"RELAY_PROOF","total":1}
]');
DELETE FROM feeds;
INSERT INTO feeds OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::feeds, '[
{"node":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","envelopes":41,"deletions":3}
]');
DELETE FROM lanes;
INSERT INTO lanes OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::lanes, '[
{"lane":0,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0},
{"lane":1,"n":11,"envelope_count":9,"bytes":3310,"open_bytes":732,"used_at":1800000000},
{"lane":10,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0},
{"lane":11,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0},
{"lane":12,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0},
{"lane":13,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0},
{"lane":14,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0},
{"lane":15,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0},
{"lane":2,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0},
{"lane":3,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0},
{"lane":4,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0},
{"lane":5,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0},
{"lane":6,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0},
{"lane":7,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0},
{"lane":8,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0},
{"lane":9,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0}
]');
DELETE FROM limits;
INSERT INTO limits OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::limits, '[
{"key":"mail friend","period":20833,"used":6400000},
{"key":"mail open friend","period":20833,"used":6400000}
]');
DELETE FROM mailboxes;
INSERT INTO mailboxes OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::mailboxes, '[
{"mailbox":-2788442189279911791,"last_seq":1800000000003,"bytes":1114,"served_at":0,"envelope_count":3,"hidden_count":0,"first_day":20833,"pub":"\\x31d4ab6aceec961137917037936e60716fac573afe94d9da84a8020448dfc112"},
{"mailbox":1111585725721874244,"last_seq":1800000000006,"bytes":1464,"served_at":1800000000,"envelope_count":4,"hidden_count":1,"first_day":20833,"pub":"\\x13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d"},
{"mailbox":509161700845492707,"last_seq":1800000000002,"bytes":732,"served_at":0,"envelope_count":2,"hidden_count":0,"first_day":20833,"pub":"\\x57db4b359f23ae5e146e4e2512056704722506348c150c14753d0c933d04d421"}
]');
DELETE FROM opened_boxes;
INSERT INTO opened_boxes OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::opened_boxes, '[
{"mailbox":"\\x57db4b359f23ae5e146e4e2512056704722506348c150c14753d0c933d04d421","write_key":"20828bf5c5bdcacb684863336c202fb5599da48be5596615742170705beca9f7","read_rule":"anyone","until":1800086400,"height":300,"signature":"nyTImZTynyHJMSOGZgC/5wha9PnkfIRu8ufP1LUrFY+zH9tq8DajUajHNo+H8cnKRLPrEPt6s9YrcQ4xvLLFBw==","held_until":1800086400,"party":"friend","is_foreign":false}
]');
DELETE FROM outgoing;
INSERT INTO outgoing OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::outgoing, '[
{"n":1,"written_at":1800000000,"kind":"envelope","body":"{\"envelope\":{\"id\":\"9ffd6f4c83bb035495b8878fb0315327\",\"recipient_pub\":\"13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d\",\"sender_pub\":\"0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157\",\"sender_ed25519_pub\":\"\",\"fee_ut\":0,\"fee_sig\":null,\"nonce\":\"AAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAA\",\"ciphertext\":\"vvirz6fZryjG++YiPfMyULHjfOTRgQ==\",\"sent_at\":1799999001}}"},
{"n":10,"written_at":1800000000,"kind":"envelope","body":"{\"envelope\":{\"id\":\"1e39f94b0886afdc965895bdf9ba03be\",\"recipient_pub\":\"57db4b359f23ae5e146e4e2512056704722506348c150c14753d0c933d04d421\",\"sender_pub\":\"0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157\",\"sender_ed25519_pub\":\"\",\"fee_ut\":0,\"fee_sig\":null,\"nonce\":\"AAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAA\",\"ciphertext\":\"iMRRyZm9XaMpSdlTx0DN3qKI3JIu/A==\",\"sent_at\":1799999001},\"admit\":\"+otLdoEwZBFjvmFTDbIobjBTzHWySFIUEM12G2tZOoCgNoY+rIaseH+s9JvXV/3LG5KB4xBkFVdUWAbEe3egDg==\"}"},
{"n":11,"written_at":1800000000,"kind":"envelope","body":"{\"envelope\":{\"id\":\"927d941703178f1d78eb09e77265bb40\",\"recipient_pub\":\"57db4b359f23ae5e146e4e2512056704722506348c150c14753d0c933d04d421\",\"sender_pub\":\"0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157\",\"sender_ed25519_pub\":\"\",\"fee_ut\":0,\"fee_sig\":null,\"nonce\":\"AAAAAgAAAAAAAAAAAAAAAAAAAAAAAAAA\",\"ciphertext\":\"YN2c+81YIwhCN3f9Y/8zmuDZSQxX2g==\",\"sent_at\":1799999002},\"admit\":\"/G45kr8jzqgz6Nbc9nRh+gCdA/hQJY9QVy4+30weMUKJh0PhtXO0Dn8SWLyisVy5UtlTA5Kw+qfHtz/Kjk52Aw==\"}"},
{"n":12,"written_at":1800000000,"kind":"deletion","body":"{\"pub\":\"13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d\",\"ids\":[\"9ffd6f4c83bb035495b8878fb0315327\"],\"height\":300,\"signature\":\"3b0xJ+K3I4pQKTWFXFH6RqmVmJtCYTOrpuizOnfMqbmIYnHggW0pcQKBwKthe0Pk8c47JXt0wiB7RWScEB1iAg==\"}"},
{"n":2,"written_at":1800000000,"kind":"envelope","body":"{\"envelope\":{\"id\":\"1c3e4c69e63da8e8706127aa5c067759\",\"recipient_pub\":\"13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d\",\"sender_pub\":\"0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157\",\"sender_ed25519_pub\":\"\",\"fee_ut\":0,\"fee_sig\":null,\"nonce\":\"AAAAAgAAAAAAAAAAAAAAAAAAAAAAAAAA\",\"ciphertext\":\"/8S82ROVcB7oxwKOsrTpF2pRACmBww==\",\"sent_at\":1799999002}}"},
{"n":3,"written_at":1800000000,"kind":"envelope","body":"{\"envelope\":{\"id\":\"cc7ac3792a3b8c5dab754703da56bead\",\"recipient_pub\":\"13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d\",\"sender_pub\":\"0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157\",\"sender_ed25519_pub\":\"\",\"fee_ut\":0,\"fee_sig\":null,\"nonce\":\"AAAAAwAAAAAAAAAAAAAAAAAAAAAAAAAA\",\"ciphertext\":\"5awxbB+7CsLIpLQD5anAxR3MwRBsRg==\",\"sent_at\":1799999003}}"},
{"n":4,"written_at":1800000000,"kind":"envelope","body":"{\"envelope\":{\"id\":\"44e923bd837cd58e0245474aa78cac6d\",\"recipient_pub\":\"13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d\",\"sender_pub\":\"0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157\",\"sender_ed25519_pub\":\"\",\"fee_ut\":0,\"fee_sig\":null,\"nonce\":\"AAAABAAAAAAAAAAAAAAAAAAAAAAAAAAA\",\"ciphertext\":\"BsQpk6zxzorHHHnhb5pQWpxIWujFng==\",\"sent_at\":1799999004}}"},
{"n":5,"written_at":1800000000,"kind":"envelope","body":"{\"envelope\":{\"id\":\"49411426162ee3fa57fb556f42bb0d62\",\"recipient_pub\":\"13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d\",\"sender_pub\":\"0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157\",\"sender_ed25519_pub\":\"\",\"fee_ut\":0,\"fee_sig\":null,\"nonce\":\"AAAABQAAAAAAAAAAAAAAAAAAAAAAAAAA\",\"ciphertext\":\"XhIrRFVmrpmZRO4V1LuAEcFcGMsfGw==\",\"sent_at\":1799999005}}"},
{"n":6,"written_at":1800000000,"kind":"envelope","body":"{\"envelope\":{\"id\":\"81c2fb64c5c6a0b456eba0b15410f15e\",\"recipient_pub\":\"13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d\",\"sender_pub\":\"0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157\",\"sender_ed25519_pub\":\"\",\"fee_ut\":0,\"fee_sig\":null,\"nonce\":\"AAAABgAAAAAAAAAAAAAAAAAAAAAAAAAA\",\"ciphertext\":\"JsGYLmtzBhdqVD53BezE0XwxLG9eWw==\",\"sent_at\":1799999006}}"},
{"n":7,"written_at":1800000000,"kind":"envelope","body":"{\"envelope\":{\"id\":\"d68316a7fd6cc93a0d23fa9daa6e952c\",\"recipient_pub\":\"31d4ab6aceec961137917037936e60716fac573afe94d9da84a8020448dfc112\",\"sender_pub\":\"0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157\",\"sender_ed25519_pub\":\"\",\"fee_ut\":0,\"fee_sig\":null,\"nonce\":\"AAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAA\",\"ciphertext\":\"376K6ty4j/QvnXDMOhPLXAcD25bZjw==\",\"sent_at\":1799999001}}"},
{"n":8,"written_at":1800000000,"kind":"envelope","body":"{\"envelope\":{\"id\":\"333a15f23c90e2aa80dac461fba56e3b\",\"recipient_pub\":\"31d4ab6aceec961137917037936e60716fac573afe94d9da84a8020448dfc112\",\"sender_pub\":\"3fd1a03099308866b3a85a5dc272fa884aee3166d97efcf71fb4839427df8c3d\",\"sender_ed25519_pub\":\"\",\"fee_ut\":0,\"fee_sig\":null,\"nonce\":\"T6WKsyoXR16zJwVaIp0G5ULPu4YLtock\",\"ciphertext\":\"HZACj+NPIo5cKVqO9Bezpo3rrJ+71XCoT5n2MTzEyL+KndY=\",\"sent_at\":1800000000}}"},
{"n":9,"written_at":1800000000,"kind":"opening","body":"{\"pub\":\"57db4b359f23ae5e146e4e2512056704722506348c150c14753d0c933d04d421\",\"write_pub\":\"20828bf5c5bdcacb684863336c202fb5599da48be5596615742170705beca9f7\",\"read\":\"anyone\",\"until\":1800086400,\"height\":300,\"signature\":\"nyTImZTynyHJMSOGZgC/5wha9PnkfIRu8ufP1LUrFY+zH9tq8DajUajHNo+H8cnKRLPrEPt6s9YrcQ4xvLLFBw==\"}"}
]');
CREATE TABLE schema_versions (version int PRIMARY KEY, oldest_program int NOT NULL);
INSERT INTO schema_versions OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::schema_versions, '[
{"version":1,"oldest_program":1},
{"version":2,"oldest_program":1}
]');
DELETE FROM settings;
INSERT INTO settings OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::settings, '[
{"name":"chain_id","value":"parley-test"},
{"name":"mailbox_secret","value":"bdf54a455f1ef5332602ad5e81f91fa977f99e982ff1699569a99dbfde3cb29c"}
]');
DELETE FROM sources;
INSERT INTO sources OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::sources, '[
{"party":"friend","tag":"","lane":1,"waiting_bytes":1480,"open_bytes":732},
{"party":"node x","tag":"","lane":1,"waiting_bytes":366,"open_bytes":0},
{"party":"other","tag":"a","lane":1,"waiting_bytes":366,"open_bytes":0}
]');
DELETE FROM used_proofs;
INSERT INTO used_proofs OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::used_proofs, '[
{"mac":12345,"unix_seconds":1800000000}
]');
DELETE FROM wake;
INSERT INTO wake OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::wake, '[
{"lane":1,"n":1,"written_at":1800000000,"pubs":["\\x13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d"],"seqs":[1800000000001]},
{"lane":1,"n":10,"written_at":1800000000,"pubs":["\\x57db4b359f23ae5e146e4e2512056704722506348c150c14753d0c933d04d421"],"seqs":[1800000000002]},
{"lane":1,"n":11,"written_at":1800000000,"pubs":["\\x31d4ab6aceec961137917037936e60716fac573afe94d9da84a8020448dfc112"],"seqs":[1800000000003]},
{"lane":1,"n":2,"written_at":1800000000,"pubs":["\\x13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d"],"seqs":[1800000000002]},
{"lane":1,"n":3,"written_at":1800000000,"pubs":["\\x13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d"],"seqs":[1800000000003]},
{"lane":1,"n":4,"written_at":1800000000,"pubs":["\\x13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d"],"seqs":[1800000000004]},
{"lane":1,"n":5,"written_at":1800000000,"pubs":["\\x13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d"],"seqs":[1800000000005]},
{"lane":1,"n":6,"written_at":1800000000,"pubs":["\\x13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d"],"seqs":[1800000000006]},
{"lane":1,"n":7,"written_at":1800000000,"pubs":["\\x31d4ab6aceec961137917037936e60716fac573afe94d9da84a8020448dfc112"],"seqs":[1800000000001]},
{"lane":1,"n":8,"written_at":1800000000,"pubs":["\\x31d4ab6aceec961137917037936e60716fac573afe94d9da84a8020448dfc112"],"seqs":[1800000000002]},
{"lane":1,"n":9,"written_at":1800000000,"pubs":["\\x57db4b359f23ae5e146e4e2512056704722506348c150c14753d0c933d04d421"],"seqs":[1800000000001]}
]');
SELECT setval(pg_get_serial_sequence('outgoing', 'n'), (SELECT max(n) FROM outgoing));
