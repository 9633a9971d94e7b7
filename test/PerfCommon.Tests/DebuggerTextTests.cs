using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests;

/// <summary>
/// Texts of messages, values and channels in a debugger: no other code uses those texts, so a renamed member would break them unnoticed.
/// </summary>
public partial class DebuggerTextTests
{
    private const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    public static TheoryData<string> Types =>
        new(typeof(RsslChannel).Assembly.GetTypes().Where(type =>
            TextOf(type) is not null).Select(type => type.FullName!).Order(StringComparer.Ordinal));

    [Theory]
    [MemberData(nameof(Types))]
    public void DebuggerDisplay_EveryPart_NamesAMember(string name)
    {
        Type type = typeof(RsslChannel).Assembly.GetType(name)!;

        Assert.All(
            Parts().Matches(TextOf(type)!).Select(part => part.Groups[1].Value),
            path => Assert.NotEqual(typeof(void), path.Split('.').Aggregate(type, (owner, member) => TypeOf(Member(owner, member)))));
    }

    [Fact]
    public void DebuggerDisplay_Values_AreShort()
    {
        ChannelInfo info = new()
        {
            ConnectionVersion = 14,
            MaxMessageBytes = 6144,
            PingTimeoutSeconds = 60,
            SendsPings = true,
            ReceivesPings = true,
            ProtocolType = RsslProtocol.Rwf,
            MajorVersion = 14,
            MinorVersion = 1,
            IsServer = false,
        };

        Assert.Equal("104.25 (10425, hint 12)", Show(new RwfReal(10425, RealHint.Exponent0 - 2)));
        Assert.Equal("2026-11-20", Show(new RwfDate(20, 11, 2026)));
        Assert.Equal("PeerClosed: the peer closed", new CloseReason(CloseKind.PeerClosed, "the peer closed").ToString());
        Assert.Equal(", version 14, at most 6144 bytes, None, ping 60 s", Show(info));
        Assert.Equal("70 fields, 385 bytes", Show(MessageData.Default(FieldDictionary.Default).Refresh));
    }

    private static string? TextOf(Type type) => type.GetCustomAttribute<DebuggerDisplayAttribute>(inherit: false)?.Value;

    private static string Show(object value) => Parts().Replace(TextOf(value.GetType())!, part => Convert.ToString(
        part.Groups[1].Value.Split('.').Aggregate((object?)value, (owner, member) => owner is null ? null : ValueOf(owner, member)),
        CultureInfo.InvariantCulture)!);

    private static MemberInfo Member(Type owner, string name)
    {
        string plain = name.Replace("()", "", StringComparison.Ordinal);
        MemberInfo[] found = [.. owner.GetMember(plain, Any), .. owner.GetInterfaces().SelectMany(type => type.GetMember(plain, Any))];
        Assert.True(found.Length > 0, $"{owner} has no member {name}");
        return found[0];
    }

    private static Type TypeOf(MemberInfo member) => member switch
    {
        PropertyInfo property => property.PropertyType,
        FieldInfo field => field.FieldType,
        MethodInfo method => method.ReturnType,
        _ => throw new ArgumentException($"{member} has no value", nameof(member)),
    };

    private static object? ValueOf(object owner, string name) => Member(owner.GetType(), name) switch
    {
        PropertyInfo property => property.GetValue(owner),
        FieldInfo field => field.GetValue(owner),
        MemberInfo method => ((MethodInfo)method).Invoke(owner, null),
    };

    [GeneratedRegex(@"\{([^,}]+)(?:,nq)?\}")]
    private static partial Regex Parts();
}
