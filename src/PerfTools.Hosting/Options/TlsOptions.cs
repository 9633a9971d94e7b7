namespace PerfTools.Hosting.Options;

/// <summary>The TLS part of a connection. Immutable; vary it with <c>with</c>.</summary>
internal sealed record TlsOptions
{
    /// <summary>Environment variable asked for the key's password when the command line has none.</summary>
    public const string KeyPasswordVariable = "PERFTOOLS_KEY_PASSWORD";

    /// <summary>Allows TLS 1.2; with neither version named both are allowed. <c>-spTLSv1.2</c></summary>
    public bool Tls12 { get; init; }

    /// <summary>Allows TLS 1.3; with neither version named both are allowed. <c>-spTLSv1.3</c></summary>
    public bool Tls13 { get; init; }

    /// <summary>PEM file with further authorities to trust; null for none. <c>-castore</c></summary>
    public string? AuthorityFile { get; init; }

    /// <summary>Accepts any certificate. <c>-insecureSkipCertCheck</c></summary>
    public bool SkipCertificateCheck { get; init; }

    /// <summary>PEM file with the own certificate; null for none. <c>-cert</c></summary>
    public string? CertificateFile { get; init; }

    /// <summary>PEM file with the own private key; null for none. <c>-keyfile</c></summary>
    public string? KeyFile { get; init; }

    /// <summary>Password of the private key. <c>-keypasswd</c></summary>
    public Secret KeyPassword { get; init; } = new(null, KeyPasswordVariable);

    /// <summary>Cipher suites as typed; null for the system's own. <c>-cipher</c></summary>
    public string? CipherSuites { get; init; }

    /// <summary>The allowed versions as one text.</summary>
    public string Versions => (Tls12, Tls13) switch
    {
        (true, false) => "TLSv1.2",
        (false, true) => "TLSv1.3",
        _ => "TLSv1.2, TLSv1.3",
    };

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    /// <param name="isUsed">True when the connection is encrypted.</param>
    /// <param name="isServer">True for a program that listens.</param>
    public string? FindProblem(bool isUsed, bool isServer) => this switch
    {
        { Tls12: true } when !isUsed => "-spTLSv1.2 needs -connType encrypted",
        { Tls13: true } when !isUsed => "-spTLSv1.3 needs -connType encrypted",
        { CertificateFile: null } when isUsed && isServer => "-connType encrypted needs -cert and -keyfile",
        { KeyFile: null } when isUsed && isServer => "-connType encrypted needs -cert and -keyfile",
        { CertificateFile: not null, KeyFile: null } => "-cert needs -keyfile",
        { CertificateFile: null, KeyFile: not null } => "-keyfile needs -cert",
        _ => null,
    };
}
