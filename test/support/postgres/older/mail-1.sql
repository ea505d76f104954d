-- A database as the program with version 1 of its schema left it: it made these rows itself. Not to be changed.
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
{"mailbox":-2788442189279911791,"seq":1800000000002,"received_at":1800000000,"sent_at":1800000000,"fee_ut":0,"received_day":20833,"bytes":382,"room":0,"is_hidden":false,"is_authentic":true,"id":"e1221eefbab6e6cdfdb31528672d480f","party":"friend","tag":"","sender_pub":"\\x55da4fd055beae36501b32a8e0d86e1ebc3cb0b1fe8eddcd7a5c3fe132b89744","sender_ed25519_pub":"\\x","fee_sig":null,"admit":null,"nonce":"\\x83cc46a506ca10893c24085adf6d870365de8ad24e07dd45","ciphertext":"\\x618da2caad2e07e4a385cf95584eeb84b201ab1073b3aa527beeba4707e807d5744fcb"},
{"mailbox":-2788442189279911791,"seq":1800000000003,"received_at":1800000000,"sent_at":1799999005,"fee_ut":0,"received_day":20833,"bytes":366,"room":0,"is_hidden":false,"is_authentic":true,"id":"bb31cbbf5dec8805330fd0370a37fa80","party":"node x","tag":"","sender_pub":"\\x0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157","sender_ed25519_pub":"\\x","fee_sig":null,"admit":null,"nonce":"\\x000000050000000000000000000000000000000000000000","ciphertext":"\\x4703acbfe8e4c2a7d208a841969ab9d3cb5bc1068d83"},
{"mailbox":1111585725721874244,"seq":1800000000002,"received_at":1800000000,"sent_at":1799999002,"fee_ut":0,"received_day":20833,"bytes":366,"room":null,"is_hidden":true,"is_authentic":true,"id":"1c3e4c69e63da8e8706127aa5c067759","party":"friend","tag":"","sender_pub":"\\x0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157","sender_ed25519_pub":"\\x","fee_sig":null,"admit":null,"nonce":"\\x000000020000000000000000000000000000000000000000","ciphertext":"\\xffc4bcd91395701ee8c7028eb2b4e9176a51002981c3"},
{"mailbox":1111585725721874244,"seq":1800000000004,"received_at":1800000000,"sent_at":1799999004,"fee_ut":0,"received_day":20833,"bytes":366,"room":0,"is_hidden":false,"is_authentic":true,"id":"44e923bd837cd58e0245474aa78cac6d","party":"friend","tag":"","sender_pub":"\\x0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157","sender_ed25519_pub":"\\x","fee_sig":null,"admit":null,"nonce":"\\x000000040000000000000000000000000000000000000000","ciphertext":"\\x06c42993acf1ce8ac71c79e16f9a505a9c485ae8c59e"},
{"mailbox":1111585725721874244,"seq":1800000000005,"received_at":1800000000,"sent_at":1799999005,"fee_ut":0,"received_day":20833,"bytes":366,"room":0,"is_hidden":false,"is_authentic":true,"id":"49411426162ee3fa57fb556f42bb0d62","party":"friend","tag":"","sender_pub":"\\x0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157","sender_ed25519_pub":"\\x","fee_sig":null,"admit":null,"nonce":"\\x000000050000000000000000000000000000000000000000","ciphertext":"\\x5e122b445566ae999944ee15d4bb8011c15c18cb1f1b"},
{"mailbox":1111585725721874244,"seq":1800000000006,"received_at":1800000000,"sent_at":1799999006,"fee_ut":0,"received_day":20833,"bytes":366,"room":0,"is_hidden":false,"is_authentic":true,"id":"81c2fb64c5c6a0b456eba0b15410f15e","party":"friend","tag":"","sender_pub":"\\x0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157","sender_ed25519_pub":"\\x","fee_sig":null,"admit":null,"nonce":"\\x000000060000000000000000000000000000000000000000","ciphertext":"\\x26c1982e6b7306176a543e7705ecc4d17c312c6f5e5b"},
{"mailbox":509161700845492707,"seq":1800000000001,"received_at":1800000000,"sent_at":1799999001,"fee_ut":0,"received_day":20833,"bytes":366,"room":2,"is_hidden":false,"is_authentic":true,"id":"1e39f94b0886afdc965895bdf9ba03be","party":"friend","tag":"","sender_pub":"\\x0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157","sender_ed25519_pub":"\\x","fee_sig":null,"admit":"+otLdoEwZBFjvmFTDbIobjBTzHWySFIUEM12G2tZOoCgNoY+rIaseH+s9JvXV/3LG5KB4xBkFVdUWAbEe3egDg==","nonce":"\\x000000010000000000000000000000000000000000000000","ciphertext":"\\x88c451c999bd5da32949d953c740cddea288dc922efc"},
{"mailbox":509161700845492707,"seq":1800000000002,"received_at":1800000000,"sent_at":1799999002,"fee_ut":0,"received_day":20833,"bytes":366,"room":2,"is_hidden":false,"is_authentic":true,"id":"927d941703178f1d78eb09e77265bb40","party":"friend","tag":"","sender_pub":"\\x0d2ba27811c06aae55d7dc9207051388b061f4f9ddbaad4af607166b15ea3157","sender_ed25519_pub":"\\x","fee_sig":null,"admit":"/G45kr8jzqgz6Nbc9nRh+gCdA/hQJY9QVy4+30weMUKJh0PhtXO0Dn8SWLyisVy5UtlTA5Kw+qfHtz/Kjk52Aw==","nonce":"\\x000000020000000000000000000000000000000000000000","ciphertext":"\\x60dd9cfbcd582308423777fd63ff339ae0d9490c57da"}
]');
DELETE FROM feeds;
INSERT INTO feeds OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::feeds, '[
{"node":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","envelopes":41,"deletions":3}
]');
DELETE FROM lanes;
INSERT INTO lanes OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::lanes, '[
{"lane":0,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0},
{"lane":1,"n":0,"envelope_count":0,"bytes":0,"open_bytes":0,"used_at":0},
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
{"lane":9,"n":11,"envelope_count":9,"bytes":3310,"open_bytes":732,"used_at":1800000000}
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
{"n":8,"written_at":1800000000,"kind":"envelope","body":"{\"envelope\":{\"id\":\"e1221eefbab6e6cdfdb31528672d480f\",\"recipient_pub\":\"31d4ab6aceec961137917037936e60716fac573afe94d9da84a8020448dfc112\",\"sender_pub\":\"55da4fd055beae36501b32a8e0d86e1ebc3cb0b1fe8eddcd7a5c3fe132b89744\",\"sender_ed25519_pub\":\"\",\"fee_ut\":0,\"fee_sig\":null,\"nonce\":\"g8xGpQbKEIk8JAha322HA2XeitJOB91F\",\"ciphertext\":\"YY2iyq0uB+Sjhc+VWE7rhLIBqxBzs6pSe+66RwfoB9V0T8s=\",\"sent_at\":1800000000}}"},
{"n":9,"written_at":1800000000,"kind":"opening","body":"{\"pub\":\"57db4b359f23ae5e146e4e2512056704722506348c150c14753d0c933d04d421\",\"write_pub\":\"20828bf5c5bdcacb684863336c202fb5599da48be5596615742170705beca9f7\",\"read\":\"anyone\",\"until\":1800086400,\"height\":300,\"signature\":\"nyTImZTynyHJMSOGZgC/5wha9PnkfIRu8ufP1LUrFY+zH9tq8DajUajHNo+H8cnKRLPrEPt6s9YrcQ4xvLLFBw==\"}"}
]');
CREATE TABLE schema_versions (version int PRIMARY KEY, oldest_program int NOT NULL);
INSERT INTO schema_versions OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::schema_versions, '[
{"version":1,"oldest_program":1}
]');
DELETE FROM settings;
INSERT INTO settings OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::settings, '[
{"name":"chain_id","value":"parley-test"},
{"name":"mailbox_secret","value":"845775d4700dfc181ce1dbf7ff2585fe7dd5742667f9d8e9ed8c8ccdbc6e9259"}
]');
DELETE FROM sources;
INSERT INTO sources OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::sources, '[
{"party":"friend","tag":"","lane":9,"waiting_bytes":1480,"open_bytes":732},
{"party":"node x","tag":"","lane":9,"waiting_bytes":366,"open_bytes":0},
{"party":"other","tag":"a","lane":9,"waiting_bytes":366,"open_bytes":0}
]');
DELETE FROM used_proofs;
INSERT INTO used_proofs OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::used_proofs, '[
{"mac":12345,"unix_seconds":1800000000}
]');
DELETE FROM wake;
INSERT INTO wake OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::wake, '[
{"lane":9,"n":1,"written_at":1800000000,"pubs":["\\x13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d"],"seqs":[1800000000001]},
{"lane":9,"n":10,"written_at":1800000000,"pubs":["\\x57db4b359f23ae5e146e4e2512056704722506348c150c14753d0c933d04d421"],"seqs":[1800000000002]},
{"lane":9,"n":11,"written_at":1800000000,"pubs":["\\x31d4ab6aceec961137917037936e60716fac573afe94d9da84a8020448dfc112"],"seqs":[1800000000003]},
{"lane":9,"n":2,"written_at":1800000000,"pubs":["\\x13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d"],"seqs":[1800000000002]},
{"lane":9,"n":3,"written_at":1800000000,"pubs":["\\x13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d"],"seqs":[1800000000003]},
{"lane":9,"n":4,"written_at":1800000000,"pubs":["\\x13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d"],"seqs":[1800000000004]},
{"lane":9,"n":5,"written_at":1800000000,"pubs":["\\x13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d"],"seqs":[1800000000005]},
{"lane":9,"n":6,"written_at":1800000000,"pubs":["\\x13be4feaeaf204c7fd3358fc9c00721881d174278128227ec674f37f7fe97b6d"],"seqs":[1800000000006]},
{"lane":9,"n":7,"written_at":1800000000,"pubs":["\\x31d4ab6aceec961137917037936e60716fac573afe94d9da84a8020448dfc112"],"seqs":[1800000000001]},
{"lane":9,"n":8,"written_at":1800000000,"pubs":["\\x31d4ab6aceec961137917037936e60716fac573afe94d9da84a8020448dfc112"],"seqs":[1800000000002]},
{"lane":9,"n":9,"written_at":1800000000,"pubs":["\\x57db4b359f23ae5e146e4e2512056704722506348c150c14753d0c933d04d421"],"seqs":[1800000000001]}
]');
SELECT setval(pg_get_serial_sequence('outgoing', 'n'), (SELECT max(n) FROM outgoing));
