using System.Reflection;
using System.Reflection.Emit;

namespace Tools.Tests;

/// <summary>Finds the methods that the code of an assembly calls, read from its instructions.</summary>
internal static class MethodCalls
{
    private static readonly Dictionary<short, OpCode> Codes = typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(field => (OpCode)field.GetValue(null)!).ToDictionary(code => code.Value);

    /// <summary>Every method or constructor with a body, of every type, lambdas included.</summary>
    public static IEnumerable<MethodBase> BodiesIn(Assembly assembly)
    {
        const BindingFlags Own =
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance | BindingFlags.DeclaredOnly;
        return assembly.GetTypes().SelectMany(type => type.GetMethods(Own).Cast<MethodBase>().Concat(type.GetConstructors(Own)))
            .Where(method => method.GetMethodBody() is not null);
    }

    /// <summary>What a method calls.</summary>
    public static IEnumerable<MethodBase> CallsIn(MethodBase method)
    {
        byte[] code = method.GetMethodBody()!.GetILAsByteArray()!;
        Type[] ofType = method.DeclaringType is { IsGenericType: true } type ? type.GetGenericArguments() : [];
        Type[] ofMethod = method.IsGenericMethod ? method.GetGenericArguments() : [];
        for (int at = 0; at < code.Length;)
        {
            OpCode operation = Codes[code[at] == 0xFE ? (short)(0xFE00 | code[at + 1]) : code[at]];
            at += operation.Size;
            if (operation.OperandType == OperandType.InlineMethod
                && method.Module.ResolveMethod(BitConverter.ToInt32(code, at), ofType, ofMethod) is { } called)
            {
                yield return called;
            }

            at += OperandBytes(operation.OperandType, code, at);
        }
    }

    private static int OperandBytes(OperandType type, byte[] code, int at) => type switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        OperandType.InlineSwitch => 4 + (4 * BitConverter.ToInt32(code, at)),
        _ => 4,
    };
}
