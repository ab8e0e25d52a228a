# TLS: port/tls, and the parts of BearSSL it uses. The Makefile includes this.
#
#   build/libtls.a      both, for programs of port/posix; build/asan and build/msan have theirs
#   build/<board>/bearssl   the same files for a firmware with TLS (boards/net/build.mk)
#
# BearSSL can get random bytes and the time from the system; here the port supplies what is needed. Unaligned access is off:
# sanitizers would report it.
BEARSSL_FLAGS := -DBR_USE_URANDOM=0 -DBR_USE_WIN32_RAND=0 -DBR_RDRAND=0 -DBR_USE_UNIX_TIME=0 -DBR_LE_UNALIGNED=0 -DBR_BE_UNALIGNED=0

BEARSSL_BOTH := codec/ccopy codec/dec32be codec/enc32be ec/ec_secp256r1 ec/ec_secp384r1 ec/ec_secp521r1 ec/ecdsa_rta \
                hash/multihash hash/sha2small mac/hmac rand/hmac_drbg rand/sysrng ssl/prf ssl/prf_sha256 ssl/ssl_engine \
                ssl/ssl_hashes ssl/ssl_hs_server ssl/ssl_rec_chapol ssl/ssl_scert_single_ec ssl/ssl_server symcipher/chacha20_ct
BEARSSL_AES  := hash/ghash_ctmul ssl/ssl_rec_gcm symcipher/aes_ct symcipher/aes_ct_ctr symcipher/aes_ct_enc
BEARSSL_15   := ec/ec_p256_m15 symcipher/poly1305_ctmul32 \
                $(patsubst %,ec/ecdsa_i15_%,bits sign_asn1 sign_raw) \
                $(patsubst %,int/i15_%,add bitlen decmod decode encode fmont iszero modpow montmul muladd ninv15 rshift sub tmont)
BEARSSL_CHECK := codec/ccopy codec/dec32be ec/ec_p256_m15 ec/ec_secp256r1 ec/ec_secp384r1 ec/ec_secp521r1 $(patsubst %,ec/ecdsa_i15_%,bits vrfy_raw) \
                $(patsubst %,int/i15_%,add bitlen decmod decode encode fmont iszero modpow montmul muladd ninv15 rshift sub tmont)
BEARSSL_31   := ec/ec_p256_m31 symcipher/poly1305_ctmul int/i32_div32 \
                $(patsubst %,ec/ecdsa_i31_%,bits sign_asn1 sign_raw) \
                $(patsubst %,int/i31_%,add bitlen decmod decode encode fmont iszero modpow montmul muladd ninv31 rshift sub tmont)

# Additional parts for the client, which verifies certificates with any key that authorities have.
BEARSSL_CLIENT := ec/ec_all_m31 ec/ec_c25519_m31 ec/ec_curve25519 ec/ec_prime_i31 ec/ecdsa_i31_vrfy_asn1 ec/ecdsa_i31_vrfy_raw \
                ec/ecdsa_atr codec/dec64be codec/enc64be hash/sha2big rsa/rsa_i31_pkcs1_vrfy rsa/rsa_i31_pub rsa/rsa_pkcs1_sig_unpad \
                ssl/ssl_client ssl/ssl_hs_client x509/x509_minimal int/i31_modpow2 int/i31_moddiv int/i31_mulacc int/i31_reduce

# Additional parts for `skillrom keys` and `skillrom sign`: making, reading and writing keys.
BEARSSL_SIGN := codec/pemenc ec/ec_keygen x509/asn1enc x509/encode_ec_pk8der x509/encode_ec_rawder x509/skey_decoder

# A PC also reads certificates, in PEM. (port/oauth checks signatures with the parts of the client.)
BEARSSL_PC   := $(BEARSSL_BOTH) $(BEARSSL_AES) $(BEARSSL_31) $(BEARSSL_CLIENT) codec/pemdec ec/ec_pubkey x509/x509_decoder $(BEARSSL_SIGN)

# $(call bearssl,DIRECTORY): the objects of a PC
bearssl = $(BEARSSL_PC:%=$1/bearssl/%.o)

# $(call bearssl_rule,DIRECTORY,COMPILER,FLAGS[,LIST])
define bearssl_rule
$1/bearssl/%.o: $(BEARSSL_DIR)/src/%.c Makefile port/tls/build.mk $(or $4,$(call flags_list,$2))
	@mkdir -p $$(@D)
	@echo '  compile $$@'
	$$(Q)$2 -std=c99 -w $3 $(BEARSSL_FLAGS) -ffunction-sections -fdata-sections -I$(BEARSSL_DIR)/inc -I$(BEARSSL_DIR)/src -c $$< -o $$@
endef

# $(call tls,DIRECTORY,COMPILER,FLAGS)
define tls
$(call bearssl_rule,$1,$2,$3)
$1/libtls.a: $(call objects,$1,$(TLS_SRC) $(OAUTH_SRC)) $(call bearssl,$1) $(LISTS)
	@rm -f $$@
	$$(Q)$(ARCHIVE) $$@ $$(LINKED)
endef

$(addprefix $(BEARSSL_DIR)/src/,$(addsuffix .c,$(BEARSSL_PC) $(BEARSSL_15) $(BEARSSL_CHECK))): | $(BEARSSL_DIR)/inc/bearssl.h

$(eval $(call tls,build,$(CC),$(GCC_FLAGS)))
$(eval $(call tls,build/asan,$(CC),$(ASAN_FLAGS)))
$(eval $(call tls,build/poll,$(CC),$(POLL_FLAGS)))
$(eval $(call tls,build/msan,$(CLANG),$(MSAN_FLAGS)))
